import type { ServedKind } from '../definition.ts';

/** Leases. */
export const lease: ServedKind = {
  group: 'coordination.k8s.io',
  kind: 'Lease',
  strategy: { createsOnUpdate: true, needsVersionOnUpdate: true },
};
