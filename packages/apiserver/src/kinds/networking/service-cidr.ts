import type { ServedKind } from '../definition.ts';

/** Ranges of service addresses: this server has the one of its flag. */
export const serviceCidr: ServedKind = {
  group: 'networking.k8s.io',
  kind: 'ServiceCIDR',
  isOnDemand: true,
};
