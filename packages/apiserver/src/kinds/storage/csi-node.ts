import type { ServedKind } from '../definition.ts';

/** The CSI drivers of a node: a kubelet keeps them there. */
export const csiNode: ServedKind = {
  group: 'storage.k8s.io',
  kind: 'CSINode',
  isServed: true,
};
