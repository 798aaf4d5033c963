import type { ServedKind } from '../definition.ts';

/** Bindings of roles in a namespace. */
export const roleBinding: ServedKind = {
  group: 'rbac.authorization.k8s.io',
  kind: 'RoleBinding',
  strategy: { createsOnUpdate: true },
};
