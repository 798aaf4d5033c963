import type { ServedKind } from '../definition.ts';

/** Persistent volumes, which nothing here binds. */
export const persistentVolume: ServedKind = {
  group: '',
  kind: 'PersistentVolume',
  strategy: { returnsDeleted: true },
};
