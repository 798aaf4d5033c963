import type { ServedKind } from '../definition.ts';

/** Space that CSI drivers tell of. */
export const csiStorageCapacity: ServedKind = {
  group: 'storage.k8s.io',
  kind: 'CSIStorageCapacity',
  strategy: { needsVersionOnUpdate: true },
};
