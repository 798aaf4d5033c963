import { createHash } from 'node:crypto';
import {
  type AddressFamily,
  acceptIt,
  addressBits,
  type Chain,
  compare,
  dropIt,
  type Expression,
  jumpTo,
  load,
} from '@wherry/linux';
import type { AddressRange } from '../services/address-range.ts';

const bitsPerByte = 8;

/** A name tells all of a chain. */
function nameOf(what: string, ranges: readonly AddressRange[]): string {
  const text = ranges.map(({ first, last }) => `${first}-${last}`).join();
  return `${what}-${createHash('sha256').update(text).digest('hex').slice(0, 16)}`;
}

/** The name of the chain that lets clients of these ranges pass: `only-from-5f2b…`. */
export const guardName = (ranges: readonly AddressRange[]): string => nameOf('only-from', ranges);

/** The chain itself: who is in no range, is lost. */
export function guardChain(family: AddressFamily, ranges: readonly AddressRange[]): Chain {
  const source = load.sourceAddress(family)(0);
  const pass = ranges.map((range) => [source, ...isWithin(range, family), acceptIt]);
  return { name: guardName(ranges), rules: [...pass, [dropIt]] };
}

/** The chain that refuses what is sent to these ranges: `unassigned-5f2b…`. */
export function unassignedChain(family: AddressFamily, ranges: readonly AddressRange[]): Chain {
  const destination = load.destinationAddress(family)(0);
  return {
    name: nameOf('unassigned', ranges),
    rules: ranges.map((range) => [destination, ...isWithin(range, family), jumpTo('refuse')]),
  };
}

/** Ends the rule unless the address in the first words is in the range. */
function isWithin({ first, last }: AddressRange, family: AddressFamily): Expression[] {
  const digits = (addressBits[family] / bitsPerByte) * 2;
  const bytes = (address: bigint) => Buffer.from(address.toString(16).padStart(digits, '0'), 'hex');
  return [compare(0, 'atLeast', bytes(first)), compare(0, 'atMost', bytes(last))];
}
