import { type IPBlock, parseCidr } from '@wherry/kubeapi';
import { type AddressFamily, addressBits } from '@wherry/linux';

/** Addresses as numbers, both ends inside. */
export interface AddressRange {
  first: bigint;
  last: bigint;
}

const familyNumbers = { ip: 4, ip6: 6 } as const;

function rangeOf(cidr: string, family: AddressFamily): AddressRange | undefined {
  const parsed = parseCidr(cidr);
  if (parsed?.family !== familyNumbers[family]) return undefined;
  const hostBits = BigInt(addressBits[family] - parsed.prefixBits);
  const first = (parsed.address >> hostBits) << hostBits;
  return { first, last: first + (1n << hostBits) - 1n };
}

/** The addresses of a family of these blocks, without their exceptions: in order, apart from each other. */
export function rangesOf(blocks: readonly IPBlock[], family: AddressFamily): AddressRange[] {
  return merged(
    blocks.flatMap(({ cidr, except = [] }) => {
      const whole = rangeOf(cidr ?? '', family);
      return whole ? without(whole, merged(except.flatMap((text) => rangeOf(text, family) ?? []))) : [];
    }),
  );
}

/** `holes` are in order. */
function without({ first, last }: AddressRange, holes: readonly AddressRange[]): AddressRange[] {
  const rest: AddressRange[] = [];
  let next = first;
  for (const hole of holes) {
    if (hole.first > next) rest.push({ first: next, last: least(hole.first - 1n, last) });
    next = greatest(next, hole.last + 1n);
  }
  if (next <= last) rest.push({ first: next, last });
  return rest;
}

function merged(ranges: readonly AddressRange[]): AddressRange[] {
  const found: AddressRange[] = [];
  for (const range of ranges.toSorted((one, other) => (one.first < other.first ? -1 : 1))) {
    const before = found.at(-1);
    if (before && range.first <= before.last + 1n) before.last = greatest(before.last, range.last);
    else found.push({ ...range });
  }
  return found;
}

const least = (one: bigint, other: bigint) => (one < other ? one : other);
const greatest = (one: bigint, other: bigint) => (one > other ? one : other);
