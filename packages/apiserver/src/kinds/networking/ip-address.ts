import type { ServedKind } from '../definition.ts';

/** Addresses of services: this server reads them off the services themselves. */
export const ipAddress: ServedKind = {
  group: 'networking.k8s.io',
  kind: 'IPAddress',
  isOnDemand: true,
};
