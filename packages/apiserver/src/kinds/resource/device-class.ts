import { specGenerations } from '../../objects/strategy.ts';
import type { ServedKind } from '../definition.ts';

/** Device classes. */
export const deviceClass: ServedKind = {
  group: 'resource.k8s.io',
  kind: 'DeviceClass',
  strategy: { ...specGenerations, returnsDeleted: true },
};
