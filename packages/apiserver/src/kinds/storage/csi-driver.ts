import { specGenerations } from '../../objects/strategy.ts';
import type { ServedKind } from '../definition.ts';

/** CSI drivers. */
export const csiDriver: ServedKind = {
  group: 'storage.k8s.io',
  kind: 'CSIDriver',
  strategy: { ...specGenerations, returnsDeleted: true, needsVersionOnUpdate: true },
};
