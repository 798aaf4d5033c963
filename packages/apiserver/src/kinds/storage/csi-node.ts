import type { ServedKind } from '../definition.ts';

/** CSI drivers of nodes. */
export const csiNode: ServedKind = {
  group: 'storage.k8s.io',
  kind: 'CSINode',
  strategy: { returnsDeleted: true, needsVersionOnUpdate: true },
};
