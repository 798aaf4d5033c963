import type { ServedKind } from '../definition.ts';

/** Claims on persistent volumes, which nothing here binds. */
export const persistentVolumeClaim: ServedKind = {
  group: '',
  kind: 'PersistentVolumeClaim',
  strategy: { returnsDeleted: true },
};
