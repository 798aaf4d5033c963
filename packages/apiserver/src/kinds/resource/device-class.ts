import { loadPatternEngine } from '@wherry/kubeapi';
import { specGenerations } from '../../objects/strategy.ts';
import type { ServedKind } from '../definition.ts';

/** Device classes. */
export const deviceClass: ServedKind = {
  group: 'resource.k8s.io',
  kind: 'DeviceClass',
  // Their selectors may have patterns.
  strategy: { ...specGenerations, ready: loadPatternEngine, returnsDeleted: true },
};
