import { type IPBlock, parseCidr } from '@wherry/kubeapi';

/** IPv4 addresses as numbers, both ends inside. */
export interface AddressRange {
  first: number;
  last: number;
}

const bits = 32;

function rangeOf(cidr: string): AddressRange | undefined {
  const parsed = parseCidr(cidr);
  if (parsed?.family !== 4) return undefined;
  const size = 2 ** (bits - parsed.prefixBits);
  const first = Math.floor(Number(parsed.address) / size) * size;
  return { first, last: first + size - 1 };
}

/** The IPv4 addresses of these blocks, without their exceptions: in order, apart from each other. */
export function rangesOf(blocks: readonly IPBlock[]): AddressRange[] {
  return merged(
    blocks.flatMap(({ cidr, except = [] }) => {
      const whole = rangeOf(cidr ?? '');
      return whole ? without(whole, merged(except.flatMap((text) => rangeOf(text) ?? []))) : [];
    }),
  );
}

/** `holes` are in order. */
function without({ first, last }: AddressRange, holes: readonly AddressRange[]): AddressRange[] {
  const rest: AddressRange[] = [];
  let next = first;
  for (const hole of holes) {
    if (hole.first > next) rest.push({ first: next, last: Math.min(hole.first - 1, last) });
    next = Math.max(next, hole.last + 1);
  }
  if (next <= last) rest.push({ first: next, last });
  return rest;
}

function merged(ranges: readonly AddressRange[]): AddressRange[] {
  const found: AddressRange[] = [];
  for (const range of ranges.toSorted((one, other) => one.first - other.first)) {
    const before = found.at(-1);
    if (before && range.first <= before.last + 1) before.last = Math.max(before.last, range.last);
    else found.push({ ...range });
  }
  return found;
}
