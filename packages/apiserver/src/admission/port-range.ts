import { SettingsError } from '../settings-error.ts';

const portMax = 65_535;

/** As upstream. */
export const defaultNodePorts = '30000-32767';

/** Which ports services may have on every node. */
export class PortRange {
  readonly first: number;
  readonly last: number;

  private constructor(first: number, last: number) {
    this.first = first;
    this.last = last;
  }

  /** Of `FIRST-LAST`, `FIRST+MORE` or one port. Throws {@link SettingsError} on what is none. */
  static parse(text: string): PortRange {
    const [, low = '', sign, second = ''] = /^\s*(\d+)(?:([-+])(\d+))?\s*$/.exec(text) ?? [];
    const first = Number(low || Number.NaN);
    const last = sign === undefined ? first : sign === '-' ? Number(second) : first + Number(second);
    if (first >= 1 && last >= first && last <= portMax) return new PortRange(first, last);
    throw new SettingsError(
      `--service-node-port-range: "${text}" is no range of ports from 1 to ${portMax}; want FIRST-LAST, FIRST+MORE or one port`,
    );
  }

  /** The first of those that who names none gets before the others (upstream: calculateRangeOffset of portallocator). */
  get firstOpen(): number {
    const size = this.last - this.first + 1;
    return size <= 16 ? this.first : this.first + Math.min(Math.max(16, Math.floor(size / 32)), 128);
  }

  includes(port: number): boolean {
    return port >= this.first && port <= this.last;
  }

  toString(): string {
    return `${this.first}-${this.last}`;
  }
}

/**
 * A set of ports of a range as upstream's servers store it (registry/core/service/allocator/bitmap.go): a large number, its bytes
 * from the highest to the lowest; the lowest bit is the first port's. Ports outside of the range are in none.
 */
export class PortBits {
  readonly #range: PortRange;
  readonly #bits: bigint;

  private constructor(range: PortRange, bits: bigint) {
    this.#range = range;
    this.#bits = bits;
  }

  /** Those of a text in base64. */
  static read(range: PortRange, text: string): PortBits {
    const hex = Buffer.from(text, 'base64').toString('hex');
    return new PortBits(range, hex === '' ? 0n : BigInt(`0x${hex}`));
  }

  static of(range: PortRange, ports: Iterable<number>): PortBits {
    return new PortBits(range, 0n).with(ports);
  }

  has(port: number): boolean {
    return (this.#bits & this.#bitOf(port)) !== 0n;
  }

  with(ports: Iterable<number>): PortBits {
    let bits = this.#bits;
    for (const port of ports) bits |= this.#bitOf(port);
    return new PortBits(this.#range, bits);
  }

  without(ports: Iterable<number>): PortBits {
    let bits = this.#bits;
    for (const port of ports) if (this.has(port)) bits ^= bits & this.#bitOf(port);
    return new PortBits(this.#range, bits);
  }

  equals(other: PortBits): boolean {
    return this.#bits === other.#bits;
  }

  *[Symbol.iterator](): Generator<number> {
    const { first, last } = this.#range;
    for (let port = first; port <= last; port += 1) if (this.has(port)) yield port;
  }

  /** In base64. */
  toString(): string {
    if (this.#bits === 0n) return '';
    const hex = this.#bits.toString(16);
    return Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex').toString('base64');
  }

  #bitOf(port: number): bigint {
    return this.#range.includes(port) ? 1n << BigInt(port - this.#range.first) : 0n;
  }
}
