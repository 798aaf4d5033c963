/** Of node ports: the first and the last. */
export const nodePortMin = 30_000;
export const nodePortMax = 32_767;

/** What upstream calls the range. */
export const nodePortRange = `${nodePortMin}-${nodePortMax}`;

/**
 * A set of node ports as upstream's servers store it (registry/core/service/allocator/bitmap.go): a large number, its bytes from the
 * highest to the lowest; the lowest bit is the first port's.
 */
export class PortBits {
  readonly #bits: bigint;

  private constructor(bits: bigint) {
    this.#bits = bits;
  }

  /** Those of a text in base64; what stands beyond the range is kept. */
  static read(text: string): PortBits {
    const hex = Buffer.from(text, 'base64').toString('hex');
    return new PortBits(hex === '' ? 0n : BigInt(`0x${hex}`));
  }

  static of(ports: Iterable<number>): PortBits {
    return new PortBits(0n).with(ports);
  }

  has(port: number): boolean {
    return (this.#bits & bitOf(port)) !== 0n;
  }

  with(ports: Iterable<number>): PortBits {
    let bits = this.#bits;
    for (const port of ports) bits |= bitOf(port);
    return new PortBits(bits);
  }

  without(ports: Iterable<number>): PortBits {
    let bits = this.#bits;
    for (const port of ports) if ((bits & bitOf(port)) !== 0n) bits ^= bitOf(port);
    return new PortBits(bits);
  }

  equals(other: PortBits): boolean {
    return this.#bits === other.#bits;
  }

  *[Symbol.iterator](): Generator<number> {
    for (let port = nodePortMin; port <= nodePortMax; port += 1) if (this.has(port)) yield port;
  }

  /** In base64. */
  toString(): string {
    if (this.#bits === 0n) return '';
    const hex = this.#bits.toString(16);
    return Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex').toString('base64');
  }
}

/** None for a port that is outside. */
function bitOf(port: number): bigint {
  return port < nodePortMin || port > nodePortMax ? 0n : 1n << BigInt(port - nodePortMin);
}
