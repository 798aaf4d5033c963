import { isUtf8 } from 'node:buffer';
import type { ConfigMap, Namespace, ServiceAccount } from '@wherry/kubeapi';
import { type HashFlags, withHash } from './append-hash.ts';
import { type KeySourceFlags, readKeys } from './key-sources.ts';

/** A namespace. */
export const namespaceObject = (name: string): Namespace => ({
  ...{ apiVersion: 'v1', kind: 'Namespace', metadata: { name } },
  spec: {},
});

/** A service account. */
export const serviceAccountObject = (name: string): ServiceAccount => ({
  ...{ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name } },
});

/** A ConfigMap of files and literals; what is no text is `binaryData`. */
export function configMapObject(name: string, flags: KeySourceFlags & HashFlags): ConfigMap {
  const keys = [...readKeys(flags, { kind: 'ConfigMap', name })];
  const texts = keys
    .filter(([, value]) => isUtf8(value))
    .map(([key, value]) => [key, value.toString('utf8')]);
  const binaries = keys
    .filter(([, value]) => !isUtf8(value))
    .map(([key, value]) => [key, value.toString('base64')]);
  const map = {
    ...{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } },
    ...(texts.length > 0 ? { data: Object.fromEntries(texts) } : {}),
    ...(binaries.length > 0 ? { binaryData: Object.fromEntries(binaries) } : {}),
  };
  return withHash(map, flags);
}
