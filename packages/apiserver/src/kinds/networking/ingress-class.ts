import { specGenerations } from '../../objects/strategy.ts';
import type { ServedKind } from '../definition.ts';

/** Ingress classes. */
export const ingressClass: ServedKind = {
  group: 'networking.k8s.io',
  kind: 'IngressClass',
  strategy: specGenerations,
};
