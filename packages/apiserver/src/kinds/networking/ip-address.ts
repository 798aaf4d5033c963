import type { ServedKind } from '../definition.ts';

/** Addresses: those of services come and go with them (bootstrap/address-book.ts). */
export const ipAddress: ServedKind = { group: 'networking.k8s.io', kind: 'IPAddress' };
