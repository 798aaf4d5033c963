import type { KubeObject } from '@wherry/client';

/** An object that is described, and the status that it is given once it is there. */
export interface Described {
  object: KubeObject;
  status?: object;
  /** It is deleted, and kept by its finalizers. */
  isDeleted?: boolean;
}

/** An object of namespace `default`. */
export const namespaced = (apiVersion: string, kind: string, name: string, rest: object = {}): KubeObject => {
  const { metadata = {}, ...other } = rest as { metadata?: object };
  return { apiVersion, kind, metadata: { name, namespace: 'default', ...metadata }, ...other } as KubeObject;
};

/** An object of the whole cluster. */
export const ofCluster = (apiVersion: string, kind: string, name: string, rest: object = {}): KubeObject => {
  const { metadata = {}, ...other } = rest as { metadata?: object };
  return { apiVersion, kind, metadata: { name, ...metadata }, ...other } as KubeObject;
};

/** A time that no age is told of. */
export const longAgo = '2026-01-02T03:04:05Z';

/** Labels and annotations of every form: several, of several lines, too long, and what kubectl applied. */
export const metadata = {
  labels: { app: 'web', tier: 'front', 'example.com/empty': '' },
  annotations: {
    short: 'word',
    lines: 'one\ntwo\nthree\n',
    long: `${'word '.repeat(60)}end`,
    'kubectl.kubernetes.io/last-applied-configuration': '{"hidden":true}\n',
  },
};
