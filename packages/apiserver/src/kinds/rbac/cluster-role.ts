import type { ServedKind } from '../definition.ts';

/** Roles of the cluster. */
export const clusterRole: ServedKind = {
  group: 'rbac.authorization.k8s.io',
  kind: 'ClusterRole',
  strategy: { createsOnUpdate: true },
};
