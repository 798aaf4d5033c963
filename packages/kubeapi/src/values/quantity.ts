/**
 * Fixed-point amounts of resources: `100m`, `1.5Gi`, `12e6`. Kept exactly, to a billionth (apimachinery
 * pkg/api/resource). Values are immutable.
 */
import { quantityExponentMax, quantityLengthMax } from '../limits.ts';

/** How a quantity prints: with binary suffixes, decimal suffixes or an exponent. */
export type QuantityFormat = 'BinarySI' | 'DecimalSI' | 'DecimalExponent';

/** A text that is no quantity; the message is upstream's. */
export class QuantityError extends Error {
  override readonly name = 'QuantityError';
}

const nanosPerOne = 1_000_000_000n;
const binaryMax = (2n ** 63n - 1n) * nanosPerOne;
const decimalSuffixes = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E'];
const binarySuffixes = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];
const pattern = /^([+-]?)(\d*)(?:\.(\d*))?([eEinumkKMGTP]*[-+]?\d*)$/;
const wrongFormat =
  "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
const wrongSuffix = "unable to parse quantity's suffix";

/** An exact amount and the form it likes to be printed in. */
export class Quantity {
  readonly #nanos: bigint;
  readonly format: QuantityFormat;

  constructor(nanos: bigint, format: QuantityFormat) {
    this.#nanos = nanos;
    this.format = format;
  }

  /** The amount in billionths. */
  get nanos(): bigint {
    return this.#nanos;
  }

  /** The amount in whole units, rounded away from zero. */
  value(): bigint {
    return divideAway(this.#nanos, nanosPerOne);
  }

  /** The amount in thousandths, rounded away from zero. */
  milliValue(): bigint {
    return divideAway(this.#nanos, 1_000_000n);
  }

  /** The amount as a double; exact below 2^53 billionths, else the nearest. */
  toNumber(): number {
    const whole = this.#nanos / nanosPerOne;
    return Number(whole) + Number(this.#nanos % nanosPerOne) / 1e9;
  }

  /** -1, 0 or 1. */
  sign(): -1 | 0 | 1 {
    return this.#nanos < 0n ? -1 : this.#nanos > 0n ? 1 : 0;
  }

  /** Negative, zero or positive, as this is less than, equal to or more than `other`. */
  cmp(other: Quantity): -1 | 0 | 1 {
    return this.#nanos < other.#nanos ? -1 : this.#nanos > other.#nanos ? 1 : 0;
  }

  /** The sum; prints in this quantity's form, or in the other's when this is zero. */
  add(other: Quantity): Quantity {
    return new Quantity(this.#nanos + other.#nanos, this.#nanos === 0n ? other.format : this.format);
  }

  /** The difference, in the form of {@link add}. */
  sub(other: Quantity): Quantity {
    return new Quantity(this.#nanos - other.#nanos, this.#nanos === 0n ? other.format : this.format);
  }

  /** The canonical text: no fraction, the largest suffix that loses nothing. */
  toString(): string {
    if (this.#nanos === 0n) return '0';
    if (this.format === 'BinarySI' && this.#isBinaryPrintable()) return this.#binaryText();
    return this.#decimalText();
  }

  /** JSON shows the canonical text. */
  toJSON(): string {
    return this.toString();
  }

  #isBinaryPrintable(): boolean {
    const magnitude = this.#nanos < 0n ? -this.#nanos : this.#nanos;
    return magnitude >= 1024n * nanosPerOne && this.#nanos % nanosPerOne === 0n;
  }

  #binaryText(): string {
    let number = this.#nanos / nanosPerOne;
    let step = 0;
    while (number % 1024n === 0n && step < binarySuffixes.length - 1) {
      number /= 1024n;
      step++;
    }
    return `${number}${binarySuffixes[step]}`;
  }

  #decimalText(): string {
    let number = this.#nanos;
    let step = 0;
    const last = this.format === 'DecimalExponent' ? Number.POSITIVE_INFINITY : decimalSuffixes.length - 1;
    while (number % 1000n === 0n && step < last) {
      number /= 1000n;
      step++;
    }
    if (this.format !== 'DecimalExponent') return `${number}${decimalSuffixes[step]}`;
    const exponent = (step - 3) * 3;
    return exponent === 0 ? `${number}` : `${number}e${exponent}`;
  }
}

function divideAway(value: bigint, by: bigint): bigint {
  const quotient = value / by;
  if (value % by === 0n) return quotient;
  return value < 0n ? quotient - 1n : quotient + 1n;
}

/** Reads a quantity; amounts below a billionth round away from zero. Throws {@link QuantityError}. */
export function parseQuantity(text: string): Quantity {
  const match = text.length <= quantityLengthMax ? pattern.exec(text) : null;
  if (text === '' || !match) throw new QuantityError(wrongFormat);
  const [, sign = '', whole = '', fraction = '', suffix = ''] = match;
  const digits = BigInt(`${whole}${fraction}` || '0');
  const { base, exponent, format } = interpretSuffix(suffix);
  const hasDigits = whole !== '' || fraction !== '';
  const isFar = base === 1024n ? exponent > 4 : exponent < -9;
  if (!hasDigits && isFar) throw new QuantityError('unable to parse numeric part of quantity');
  if (digits === 0n) return new Quantity(0n, format);
  if (Math.abs(exponent) > quantityExponentMax) throw new QuantityError(wrongSuffix);
  const magnitude = scaleToNanos(digits, fraction.length, base, exponent);
  const capped = format === 'BinarySI' && magnitude > binaryMax ? binaryMax : magnitude;
  const shown = format === 'BinarySI' && capped < nanosPerOne ? 'DecimalSI' : format;
  return new Quantity(sign === '-' ? -capped : capped, shown);
}

/** The canonical text of a quantity. Throws {@link QuantityError}. */
export function canonicalQuantity(text: string): string {
  if (/^[1-9]\d{0,2}(?:[mMG]|[MGK]i)?$/.test(text)) return text;
  return parseQuantity(text).toString();
}

function interpretSuffix(suffix: string): { base: bigint; exponent: number; format: QuantityFormat } {
  const power = suffix === '' ? -1 : binarySuffixes.indexOf(suffix);
  if (power >= 0) return { base: 1024n, exponent: power, format: 'BinarySI' };
  const step = decimalSuffixes.indexOf(suffix);
  if (step >= 0) return { base: 10n, exponent: (step - 3) * 3, format: 'DecimalSI' };
  if (!/^[eE][+-]?\d+$/.test(suffix)) throw new QuantityError(wrongSuffix);
  return { base: 10n, exponent: Number(suffix.slice(1)), format: 'DecimalExponent' };
}

function scaleToNanos(digits: bigint, fractionDigits: number, base: bigint, exponent: number): bigint {
  const multiplier = exponent >= 0 ? base ** BigInt(exponent) : 1n;
  const divisor = 10n ** BigInt(fractionDigits) * (exponent < 0 ? base ** BigInt(-exponent) : 1n);
  return divideAway(digits * multiplier * nanosPerOne, divisor);
}
