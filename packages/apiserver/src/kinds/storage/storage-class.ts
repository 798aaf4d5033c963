import type { ServedKind } from '../definition.ts';

/** Storage classes. */
export const storageClass: ServedKind = {
  group: 'storage.k8s.io',
  kind: 'StorageClass',
  strategy: { returnsDeleted: true },
};
