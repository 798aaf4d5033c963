import type { ServedKind } from '../definition.ts';

/** Claims on devices. */
export const resourceClaim: ServedKind = {
  group: 'resource.k8s.io',
  kind: 'ResourceClaim',
  strategy: { returnsDeleted: true },
};
