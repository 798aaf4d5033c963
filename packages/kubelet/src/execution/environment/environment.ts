import {
  type ConfigMap,
  type Container,
  type EnvVar,
  type FileKeySelector,
  ownValue,
  type Secret,
} from '@wherry/kubeapi';
import { startCharactersMax } from '../../limits.ts';
import type { AssignedPod } from '../../pod/assigned-pod.ts';
import { valueInFile } from './environment-file.ts';
import { expandReferences, tooLong } from './expand.ts';
import { fieldValue } from './field-value.ts';
import { resourceValue } from './resource-value.ts';

/** One environment variable. */
export interface EnvironmentEntry {
  name: string;
  value: string;
}

/** Where values of environment variables come from. */
export interface EnvironmentSources {
  pod: AssignedPod;
  container: Container;
  podIps: readonly string[];
  hostIps: readonly string[];
  /** Amounts that stand in for limits a container does not set, by resource. */
  nodeAllocatable: Readonly<Record<string, string>>;
  /** Variables of the namespace's services. */
  services: readonly EnvironmentEntry[];
  /** The object, or undefined when there is none of that name. */
  configMap(name: string): Promise<ConfigMap | undefined>;
  secret(name: string): Promise<Secret | undefined>;
  /** Text of a file in a volume of the pod, or undefined when there is none. */
  file(volumeName: string, path: string): Promise<string | undefined>;
}

/**
 * The variables of a container, in the order declared: services, envFrom, env; a later one of the same name wins.
 * Throws when an object or key is missing that is not optional, naming it as upstream does, and when they are longer together than
 * {@link startCharactersMax}.
 */
export async function containerEnvironment(sources: EnvironmentSources): Promise<EnvironmentEntry[]> {
  const imported = await importedEntries(sources);
  const services = new Map(sources.services.map(({ name, value }) => [name, value]));
  const values = new Map<string, string>();
  let characters = 0;
  const set = (name: string, value: string) => {
    characters += name.length + value.length;
    if (characters > startCharactersMax)
      throw tooLong(`the environment of container "${sources.container.name}"`);
    values.set(name, value);
  };
  for (const { name, value } of imported) set(name, value);
  for (const variable of sources.container.env ?? []) {
    const value = await variableValue(variable, sources, (name) => values.get(name) ?? services.get(name));
    if (value === undefined) continue;
    values.delete(variable.name);
    set(variable.name, value);
  }
  for (const [name, value] of services) if (!values.has(name)) values.set(name, value);
  return [...values].map(([name, value]) => ({ name, value }));
}

async function importedEntries(sources: EnvironmentSources): Promise<EnvironmentEntry[]> {
  const lists = (sources.container.envFrom ?? []).map(async ({ prefix = '', configMapRef, secretRef }) => {
    if (configMapRef) {
      const { name = '', optional } = configMapRef;
      const map = await sources.configMap(name);
      if (!map && !optional) throw new Error(`configmap "${name}" not found`);
      return prefixed(prefix, Object.entries(map?.data ?? {}));
    }
    if (!secretRef) return [];
    const { name = '', optional } = secretRef;
    const secret = await sources.secret(name);
    if (!secret && !optional) throw new Error(`secret "${name}" not found`);
    return prefixed(
      prefix,
      Object.entries(secret?.data ?? {}).map(([key, value]) => [key, decoded(value)]),
    );
  });
  return (await Promise.all(lists)).flat();
}

function prefixed(prefix: string, entries: [string, string][]): EnvironmentEntry[] {
  return entries.map(([key, value]) => ({ name: prefix + key, value }));
}

const decoded = (base64: string) => Buffer.from(base64, 'base64').toString('utf8');

async function variableValue(
  { name, value, valueFrom }: EnvVar,
  sources: EnvironmentSources,
  lookup: (name: string) => string | undefined,
): Promise<string | undefined> {
  if (!valueFrom) return expandReferences(value ?? '', lookup);
  const { fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef, fileKeyRef } = valueFrom;
  if (fieldRef) return fieldValue(fieldRef.fieldPath, sources);
  if (resourceFieldRef) return resourceValue(resourceFieldRef, sources);
  if (configMapKeyRef) {
    const map = await sources.configMap(configMapKeyRef.name ?? '');
    return keyOf(configMapKeyRef, 'configmap', map?.data, sources.pod);
  }
  if (secretKeyRef) {
    const secret = await sources.secret(secretKeyRef.name ?? '');
    const text = keyOf(secretKeyRef, 'secret', secret?.data, sources.pod, secret !== undefined);
    return text === undefined ? undefined : decoded(text);
  }
  if (fileKeyRef) return valueOfFile(fileKeyRef, sources);
  throw new Error(`environment variable "${name}" has a source this kubelet does not know`);
}

/** As upstream, a key without a value counts as one that is not there; an optional file may be missing as well. */
async function valueOfFile(
  { volumeName, path, key, optional }: FileKeySelector,
  { file }: EnvironmentSources,
): Promise<string | undefined> {
  const text = await file(volumeName, path);
  if (text === undefined && !optional)
    throw new Error(`couldn't find the file ${path} of variables in volume "${volumeName}"`);
  const value = valueInFile(text ?? '', key);
  if (value || optional) return value || undefined;
  throw new Error(`environment variable key "${key}" not found in file "${path}" of volume "${volumeName}"`);
}

interface KeyReference {
  name?: string | undefined;
  key: string;
  optional?: boolean | undefined;
}

function keyOf(
  { name = '', key, optional }: KeyReference,
  kind: 'configmap' | 'secret',
  data: Record<string, string> | undefined,
  pod: AssignedPod,
  exists = data !== undefined,
): string | undefined {
  const value = ownValue(data, key);
  if (value !== undefined || optional) return value;
  if (!exists && !data) throw new Error(`${kind} "${name}" not found`);
  const shown = kind === 'configmap' ? 'ConfigMap' : 'Secret';
  throw new Error(`couldn't find key ${key} in ${shown} ${pod.metadata.namespace}/${name}`);
}
