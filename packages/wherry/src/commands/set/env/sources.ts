import type { KubeObject } from '@wherry/client';
import type { ConfigMap, EnvVar, Secret } from '@wherry/kubeapi';
import { CommandError } from '../../../errors.ts';
import { warnLine } from '../../../kube/warnings.ts';

/** Variables that refer to the keys of config maps and secrets; to all of them where none are named. Throws `CommandError`. */
export function variablesOf(objects: readonly KubeObject[], keys: readonly string[]): EnvVar[] {
  return objects.flatMap((object) => {
    const refer = referenceTo(object);
    const { data = {} } = object as ConfigMap | Secret;
    const meant = Object.keys(data).filter((key) => keys.length === 0 || keys.includes(key));
    return meant.sort().map((key): EnvVar => ({ name: variableName(key), valueFrom: refer(key) }));
  });
}

function referenceTo({ apiVersion, kind, metadata }: KubeObject) {
  const name = metadata?.name ?? '';
  if (apiVersion === 'v1' && kind === 'Secret') return (key: string) => ({ secretKeyRef: { name, key } });
  if (apiVersion === 'v1' && kind === 'ConfigMap')
    return (key: string) => ({ configMapKeyRef: { name, key } });
  throw new CommandError('unsupported resource specified in --from');
}

function variableName(key: string): string {
  const name = key.replaceAll(/[^a-zA-Z0-9_]/g, '_').toUpperCase();
  if (name !== key) warnLine(`key ${key} transferred to ${name}`);
  return name;
}
