import type { NodeRecord } from './record.ts';

/** Addresses of services. The runtime refuses pods the whole range as long as nothing leads them elsewhere. */
const serviceRange = '10.96.0.0/16';

/** Those of services that have an address of IPv6. */
const serviceRangeV6 = 'fd00:10:96::/112';

/** The ranges of services: of the families that the node's pods have. */
export const serviceRangesOf = ({ podCidr }: Pick<NodeRecord, 'podCidr'>): string[] =>
  podCidr.includes(':') ? [serviceRange, serviceRangeV6] : [serviceRange];

/** The address of the service `kubernetes`, by which pods reach the API server: the first of the range. */
export const apiServiceAddress = '10.96.0.1';
