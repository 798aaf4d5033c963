import type { Ingress } from '@wherry/kubeapi';
import { as } from '../../objects/api-object.ts';
import { specGenerations } from '../../objects/strategy.ts';
import { balancerWarnings } from '../balancer-warnings.ts';
import type { ServedKind } from '../definition.ts';

const classAnnotation = 'kubernetes.io/ingress.class';

/** Ingresses. */
export const ingress: ServedKind = {
  group: 'networking.k8s.io',
  kind: 'Ingress',
  strategy: {
    ...specGenerations,
    statusWarningsOf: balancerWarnings,
    warningsOf(object, previous) {
      const { annotations = {} } = object.metadata;
      const isSaid = Object.hasOwn(annotations, classAnnotation);
      if (previous || !isSaid || as<Ingress>(object).spec?.ingressClassName !== undefined) return [];
      return [`annotation "${classAnnotation}" is deprecated, please use 'spec.ingressClassName' instead`];
    },
  },
};
