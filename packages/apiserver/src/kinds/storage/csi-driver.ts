import type { ServedKind } from '../definition.ts';

/** CSI drivers: an empty list is the truth, and a kubelet asks for it. */
export const csiDriver: ServedKind = {
  group: 'storage.k8s.io',
  kind: 'CSIDriver',
  isServed: true,
};
