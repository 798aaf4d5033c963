import type { ServedKind } from '../definition.ts';

/** Bindings of roles everywhere. */
export const clusterRoleBinding: ServedKind = {
  group: 'rbac.authorization.k8s.io',
  kind: 'ClusterRoleBinding',
  strategy: { createsOnUpdate: true },
};
