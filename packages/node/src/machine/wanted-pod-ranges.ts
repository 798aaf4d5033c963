import {
  type AddressFamily,
  addressBits,
  decodeAddress,
  encodeAddress,
  familyOf,
  splitPrefix,
} from '@wherry/linux';
import { NodeError } from '../errors.ts';

/** A bridge and some pods have to have addresses. */
const prefixMax = { ip: 29, ip6: 125 } as const;
const prefixMin = 8;
const want =
  'want an IPv4 range such as 10.244.0.0/24, and perhaps one of IPv6 behind it: ",fd00:10:244::/64"';

/**
 * The ranges of pods in a text as `--pod-cidr` has it, each as a network's is written. IPv4 comes first, since a node's own
 * address, its DNS and its services are of IPv4. Throws `NodeError` `bad-settings`.
 */
export function wantedPodRanges(text: string): string[] {
  const refuse = (why: string) => new NodeError('bad-settings', `--pod-cidr "${text}": ${why}; ${want}`);
  const ranges = text.split(',').map((part) => {
    const range = networkOf(part.trim());
    if (range === undefined) throw refuse(`"${part.trim()}" is no range that pods fit into`);
    return range;
  });
  const families = ranges.map(familyOf);
  if (families[0] !== 'ip') throw refuse('the first range is not IPv4');
  if (new Set(families).size < families.length) throw refuse('there is more than one range of a family');
  return ranges;
}

function networkOf(text: string): string | undefined {
  if (!/^[^/]+\/\d{1,3}$/.test(text)) return undefined;
  try {
    const { address, prefixLength } = splitPrefix(text);
    const family = familyOf(address);
    if (prefixLength < prefixMin || prefixLength > prefixMax[family]) return undefined;
    return `${decodeAddress(masked(encodeAddress(address), family, prefixLength))}/${prefixLength}`;
  } catch {
    return undefined;
  }
}

function masked(bytes: Buffer, family: AddressFamily, prefixLength: number): Buffer {
  const hostBits = BigInt(addressBits[family] - prefixLength);
  const first = (BigInt(`0x${bytes.toString('hex')}`) >> hostBits) << hostBits;
  return Buffer.from(first.toString(16).padStart(bytes.length * 2, '0'), 'hex');
}
