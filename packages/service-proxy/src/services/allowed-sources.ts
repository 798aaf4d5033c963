import type { ServiceSpec } from '@wherry/kubeapi/objects';
import { addressBits } from '@wherry/linux';
import { type AddressRange, isEverything, rangeOf } from './address-range.ts';
import type { Place } from './usable-endpoints.ts';

/**
 * Ranges that clients of a balancer's addresses must be in, by `loadBalancerSourceRanges`; undefined where all may connect. As
 * upstream, a family without a range of its own is open, and so is one with a range that holds all of it.
 */
export function allowedSources(
  { loadBalancerSourceRanges = [] }: ServiceSpec,
  addresses: readonly string[],
  { family, nodeAddress }: Pick<Place, 'family' | 'nodeAddress'>,
): AddressRange[] | undefined {
  // The API allows spaces around a range.
  const ranges = loadBalancerSourceRanges.flatMap((cidr) => rangeOf(cidr.trim(), family) ?? []);
  if (ranges.length === 0 || ranges.some((range) => isEverything(range, family))) return undefined;
  const single = (address: string | undefined) => rangeOf(`${address}/${addressBits[family]}`, family);
  const node = single(nodeAddress)?.first;
  const holdsNode = node !== undefined && ranges.some(({ first, last }) => first <= node && node <= last);
  // Where this machine has the balancer's address, what it sends there comes from that address.
  return [...ranges, ...(holdsNode ? addresses.flatMap((address) => single(address) ?? []) : [])];
}
