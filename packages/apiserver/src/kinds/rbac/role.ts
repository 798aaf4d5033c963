import type { ServedKind } from '../definition.ts';

/** Roles of a namespace. */
export const role: ServedKind = {
  group: 'rbac.authorization.k8s.io',
  kind: 'Role',
  strategy: { createsOnUpdate: true },
};
