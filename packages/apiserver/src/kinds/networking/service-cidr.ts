import type { ServedKind } from '../definition.ts';

/** Ranges that addresses of services are taken from. */
export const serviceCidr: ServedKind = {
  group: 'networking.k8s.io',
  kind: 'ServiceCIDR',
  strategy: { statusKeeps: 'metadata' },
};
