import { specGenerations } from '../../objects/strategy.ts';
import type { ServedKind } from '../definition.ts';

/** Devices of a node. */
export const resourceSlice: ServedKind = {
  group: 'resource.k8s.io',
  kind: 'ResourceSlice',
  strategy: { ...specGenerations, returnsDeleted: true },
};
