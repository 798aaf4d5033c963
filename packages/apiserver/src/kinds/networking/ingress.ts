import { specGenerations } from '../../objects/strategy.ts';
import type { ServedKind } from '../definition.ts';

/** Ingresses. */
export const ingress: ServedKind = {
  group: 'networking.k8s.io',
  kind: 'Ingress',
  strategy: specGenerations,
};
