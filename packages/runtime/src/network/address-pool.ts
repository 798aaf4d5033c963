import { RuntimeError } from '../errors.ts';
import { type Ipv4Range, parseRange, toAddress, toNumber } from './ipv4.ts';

/**
 * The addresses of one bridge. What is taken is remembered by the sandbox records; this only keeps the tally. Fresh
 * addresses go round, so that a pod's old address is not at once another pod's.
 */
export class AddressPool {
  readonly #range: Ipv4Range;
  readonly #taken = new Set<number>();
  #last: number;

  constructor(range: string) {
    this.#range = parseRange(range);
    this.#last = this.#range.first + 1;
  }

  /** The bridge's own address, the pods' gateway. */
  get gateway(): string {
    return toAddress(this.#range.first + 1);
  }

  get prefixLength(): number {
    return this.#range.prefixLength;
  }

  /** The whole range in text. */
  get cidr(): string {
    return `${toAddress(this.#range.first)}/${this.#range.prefixLength}`;
  }

  /** Whether no pod has an address. */
  get isUnused(): boolean {
    return this.#taken.size === 0;
  }

  /** Marks an address that a record holds; outside the range is fine (the range has changed since). */
  take(address: string): void {
    this.#taken.add(toNumber(address));
    this.#last = Math.max(this.#last, this.#contains(toNumber(address)) ? toNumber(address) : 0);
  }

  /** A free address. Throws `RuntimeError` UNAVAILABLE when there is none. */
  allocate(): string {
    const { first, last } = this.#range;
    const usable = last - first - 2;
    for (let step = 1; step <= usable; step++) {
      const candidate = first + 2 + ((this.#last - (first + 2) + step) % usable);
      if (this.#taken.has(candidate)) continue;
      this.#taken.add(candidate);
      this.#last = candidate;
      return toAddress(candidate);
    }
    throw new RuntimeError('UNAVAILABLE', `all ${usable} pod addresses of ${this.cidr} are taken`);
  }

  /** Gives an address back. */
  release(address: string): void {
    this.#taken.delete(toNumber(address));
  }

  #contains(address: number): boolean {
    return address > this.#range.first && address < this.#range.last;
  }
}
