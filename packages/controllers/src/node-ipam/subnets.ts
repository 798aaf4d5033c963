import { addressOf, type Cidr } from '@wherry/kubeapi/objects';
import type { NodeRange } from '../machinery/node-ranges.ts';

const bitsOf = { 4: 32n, 6: 128n } as const;

/** Numbers of parts of a range, both ends inside. */
interface Numbers {
  first: bigint;
  last: bigint;
}

/** The parts of one range, one after the other: what has just been given back is the last to be given again. */
export class Subnets {
  readonly #family: Cidr['family'];
  readonly #base: bigint;
  readonly #hostBits: bigint;
  readonly #prefixBits: number;
  readonly #count: bigint;
  #next = 0n;

  constructor({ range, nodePrefixBits }: NodeRange) {
    const { family, address, prefixBits } = range;
    const below = bitsOf[family] - BigInt(prefixBits);
    this.#family = family;
    this.#base = (address >> below) << below;
    this.#hostBits = bitsOf[family] - BigInt(nodePrefixBits);
    this.#prefixBits = nodePrefixBits;
    this.#count = 1n << BigInt(nodePrefixBits - prefixBits);
  }

  /** The next part of which nothing is used; undefined when there is none. */
  take(used: readonly Cidr[]): string | undefined {
    const taken = used.flatMap((cidr) => this.#numbersOf(cidr));
    taken.sort((a, b) => (a.first < b.first ? -1 : 1));
    const free = this.#freeFrom(this.#next, taken) ?? this.#freeFrom(0n, taken);
    if (free === undefined) return undefined;
    this.#next = (free + 1n) % this.#count;
    return `${addressOf(this.#base + (free << this.#hostBits), this.#family)}/${this.#prefixBits}`;
  }

  #freeFrom(number: bigint, taken: readonly Numbers[]): bigint | undefined {
    let free = number;
    for (const { first, last } of taken) {
      if (first > free) break;
      if (last >= free) free = last + 1n;
    }
    return free < this.#count ? free : undefined;
  }

  /** The parts that share an address with `cidr`. */
  #numbersOf({ family, address, prefixBits }: Cidr): Numbers[] {
    if (family !== this.#family) return [];
    const below = bitsOf[family] - BigInt(prefixBits);
    const begin = (address >> below) << below;
    const end = begin + (1n << below) - 1n;
    if (end < this.#base || begin >= this.#base + (this.#count << this.#hostBits)) return [];
    const first = begin <= this.#base ? 0n : (begin - this.#base) >> this.#hostBits;
    return [{ first, last: (end - this.#base) >> this.#hostBits }];
  }
}
