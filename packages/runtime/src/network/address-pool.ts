import type { AddressFamily } from '@wherry/linux';
import { RuntimeError } from '../errors.ts';
import { type AddressRange, addressAt, offsetOf } from './address-range.ts';

/** The range's own address and the bridge's. */
const reservedFirst = 2;

/**
 * The addresses of one range. What is taken is remembered by the sandbox records; this only keeps the tally. Fresh
 * addresses go round, so that a pod's old address is not at once another pod's.
 */
export class AddressPool {
  readonly #range: AddressRange;
  readonly #taken = new Set<number>();
  #last = 1;

  constructor(range: AddressRange) {
    this.#range = range;
  }

  get family(): AddressFamily {
    return this.#range.family;
  }

  /** The bridge's own address, the pods' gateway. */
  get gateway(): string {
    return addressAt(this.#range, 1);
  }

  get prefixLength(): number {
    return this.#range.prefixLength;
  }

  /** The whole range in text. */
  get cidr(): string {
    return `${addressAt(this.#range, 0)}/${this.#range.prefixLength}`;
  }

  /** Whether no pod has an address. */
  get isUnused(): boolean {
    return this.#taken.size === 0;
  }

  /** Marks an address that a record holds; outside the range is fine (the range has changed since). */
  take(address: string): void {
    const offset = offsetOf(this.#range, address);
    if (offset === undefined) return;
    this.#taken.add(offset);
    this.#last = Math.max(this.#last, offset);
  }

  /** A free address. Throws `RuntimeError` UNAVAILABLE when there is none. */
  allocate(): string {
    const usable = this.#range.size - reservedFirst - 1;
    for (let step = 1; step <= Math.min(usable, this.#taken.size + 1); step++) {
      const candidate = reservedFirst + ((this.#last - reservedFirst + step) % usable);
      if (this.#taken.has(candidate)) continue;
      this.#taken.add(candidate);
      this.#last = candidate;
      return addressAt(this.#range, candidate);
    }
    throw new RuntimeError('UNAVAILABLE', `all ${usable} pod addresses of ${this.cidr} are taken`);
  }

  /** Gives an address back. */
  release(address: string): void {
    const offset = offsetOf(this.#range, address);
    if (offset !== undefined) this.#taken.delete(offset);
  }
}
