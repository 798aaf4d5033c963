/** Where traffic comes from and goes to, as rules tell it. */
import { type AddressFamily, familyOf } from '@wherry/linux';
import { rangeOf } from '../services/address-range.ts';
import { sets } from './names.ts';

/**
 * What comes from pods of this node: by an interface, whose name may have its end left open (`veth*`), or from ranges of addresses. Of
 * a family without a range nobody is known as local; then requests for services' own addresses keep their source, whoever sends them.
 */
export type LocalTraffic = { readonly interface: string } | { readonly ranges: readonly string[] };

/**
 * Where node ports are: at the node's own address of each family (`primary`), or at addresses of these ranges, a family without one
 * at all of its addresses; `loopback: false` leaves out 127.0.0.0/8.
 */
export type NodePortAddresses =
  | 'primary'
  | { readonly ranges: readonly string[]; readonly loopback?: boolean | undefined };

const namePattern = /^[\w.@:+-]{1,15}$/;

/** What is wrong with the name of an interface, which becomes part of a rule; undefined when nothing is. */
export const placeProblem = (name: string): string | undefined =>
  namePattern.test(name) ? undefined : `${JSON.stringify(name)} is no name of an interface`;

/** The condition of a rule that what pods of this node send does not meet. */
export function notLocal({
  family,
  serviceCidr,
  local,
}: {
  family: AddressFamily;
  serviceCidr: string;
  local: LocalTraffic;
}): string {
  if ('interface' in local) {
    const problem = placeProblem(local.interface.replace(/\*$/, ''));
    if (problem !== undefined) throw new RangeError(problem);
    return `iifname != "${local.interface}"`;
  }
  const ranges = ofFamily(family, local.ranges);
  return ranges.length > 0
    ? `${family} saddr != ${oneOf(ranges)}`
    : `ct original ${family} daddr != ${serviceCidr}`;
}

/** The condition that a packet's address has node ports; '' where each has them. */
export function nodePortMatch(family: AddressFamily, places: NodePortAddresses | undefined): string {
  if (places === 'primary') return `${family} daddr @${sets.nodeAddresses}`;
  const ranges = ofFamily(family, places?.ranges ?? []);
  return [
    ...(ranges.length > 0 ? [`${family} daddr ${oneOf(ranges)}`] : []),
    ...(places?.loopback === false && family === 'ip' ? ['ip daddr != 127.0.0.0/8'] : []),
  ].join(' ');
}

const oneOf = (ranges: readonly string[]) => `{ ${ranges.join(', ')} }`;

/** Those of the family that are within no other of them: nft(8) takes none that overlap. */
function ofFamily(family: AddressFamily, cidrs: readonly string[]): string[] {
  const known = cidrs.flatMap((cidr, at) => {
    const range = familyOf(cidr) === family ? rangeOf(cidr, family) : undefined;
    return range ? [{ cidr, at, ...range }] : [];
  });
  const isWithin = (inner: (typeof known)[number]) =>
    known.some(
      ({ at, first, last }) =>
        at !== inner.at &&
        first <= inner.first &&
        inner.last <= last &&
        (first < inner.first || inner.last < last || at < inner.at),
    );
  return known.filter((range) => !isWithin(range)).map(({ cidr }) => cidr);
}
