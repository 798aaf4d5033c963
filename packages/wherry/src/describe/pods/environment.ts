import type { Container, EnvFromSource, EnvVar, Pod } from '@wherry/kubeapi';
import { field, type Lines, section } from '../text/lines.ts';
import { resourceValue } from './resource-value.ts';

/** The variables of a container. What fields of the pod say is told where there is a pod, not a template. */
export function environmentLines({ env = [], envFrom = [], ...container }: Container, pod?: Pod): Lines {
  const sources = envFrom.length > 0 ? section('Environment Variables from', envFrom.map(sourceText)) : [];
  if (env.length === 0) return [...sources, field('Environment', '<none>')];
  return [
    ...sources,
    ...section(
      'Environment',
      env.flatMap((variable) => variableLines(variable, container as Container, pod)),
    ),
  ];
}

function sourceText({ configMapRef, secretRef, prefix }: EnvFromSource): string {
  const { name = '', optional = false } = configMapRef ?? secretRef ?? {};
  const from = configMapRef ? 'ConfigMap' : secretRef ? 'Secret' : '';
  return `${name}\t${from}${prefix ? ` with prefix '${prefix}'` : ''}\tOptional: ${optional}`;
}

function variableLines({ name, value = '', valueFrom }: EnvVar, container: Container, pod?: Pod): Lines {
  if (!valueFrom) {
    const [first, ...more] = value.split('\n');
    return [field(name, first), ...more.map((line) => `\t${line}`)];
  }
  const { fieldRef, resourceFieldRef, secretKeyRef, configMapKeyRef } = valueFrom;
  if (fieldRef) {
    const { apiVersion = '', fieldPath } = fieldRef;
    return [field(name, `${knownField(fieldPath, pod)} (${apiVersion}:${fieldPath})`)];
  }
  if (resourceFieldRef) {
    const { resource } = resourceFieldRef;
    const known = resourceValue(resourceFieldRef, container) ?? '';
    const isUnlimited = known === '0' && ['limits.cpu', 'limits.memory'].includes(resource);
    return [field(name, `${isUnlimited ? 'node allocatable' : known} (${resource})`)];
  }
  if (secretKeyRef) return [field(name, keyText(secretKeyRef, 'in secret'))];
  return configMapKeyRef ? [field(name, keyText(configMapKeyRef, 'of config map'))] : [];
}

const keyText = (
  { key, name = '', optional = false }: { key: string; name?: string; optional?: boolean },
  where: string,
): string => `<set to the key '${key}' ${where} '${name}'>\tOptional: ${optional}`;

/** What is known of a pod's field beforehand: kubectl knows these two. */
function knownField(path: string, pod: Pod | undefined): string {
  if (path === 'metadata.name') return pod?.metadata.name ?? '';
  return path === 'metadata.namespace' ? (pod?.metadata.namespace ?? '') : '';
}
