import { randomBytes } from 'node:crypto';

/**
 * The numbers of a range in the order in which who names none gets one: from any of `open` and above on, those below it last, so that
 * whoever names one there finds it free.
 */
export function* allocationOrder(first: bigint, open: bigint, last: bigint): Generator<bigint> {
  yield* around(open, last);
  yield* around(first, open - 1n);
}

/** All numbers from one to another, beginning with any of them. */
function* around(least: bigint, most: bigint): Generator<bigint> {
  if (most < least) return;
  const start = least + (BigInt(`0x${randomBytes(16).toString('hex')}`) % (most - least + 1n));
  for (let number = start; number <= most; number += 1n) yield number;
  for (let number = least; number < start; number += 1n) yield number;
}
