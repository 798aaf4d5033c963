import { specGenerations } from '../../objects/strategy.ts';
import type { ServedKind } from '../definition.ts';

/** Network policies. */
export const networkPolicy: ServedKind = {
  group: 'networking.k8s.io',
  kind: 'NetworkPolicy',
  strategy: specGenerations,
};
