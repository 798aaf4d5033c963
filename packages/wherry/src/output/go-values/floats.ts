/** Digits of a number that is not below 0, and where its point stands: 0.`digits` times 10 to the power of `point`. */
interface Digits {
  digits: string;
  point: number;
}

/** The verbs of floats. */
export type FloatVerb = 'e' | 'f' | 'g' | 'x' | 'b';

/** A finite number as Go's `strconv.FormatFloat` writes it; `precision` -1 for the fewest digits that mean it. */
export function floatText(value: number, verb: FloatVerb, precision: number): string {
  const sign = value < 0 || Object.is(value, -0) ? '-' : '';
  const size = Math.abs(value);
  if (verb === 'x') return sign + hexText(size, precision);
  if (verb === 'b') return sign + binaryText(size);
  if (precision < 0) {
    const digits = shortestDigits(size);
    const shown = digits.digits.length;
    if (verb === 'e') return sign + withExponent(digits, Math.max(shown - 1, 0));
    if (verb === 'f') return sign + withoutExponent(digits, Math.max(shown - digits.point, 0));
    return sign + generalText(digits, { precision: shown, isShortest: true });
  }
  const exact = exactDigits(size);
  if (verb === 'e') return sign + withExponent(rounded(exact, precision + 1), precision);
  if (verb === 'f') return sign + withoutExponent(rounded(exact, exact.point + precision), precision);
  const kept = Math.max(precision, 1);
  return sign + generalText(rounded(exact, kept), { precision: kept, isShortest: false });
}

/** The shorter of both ways, as `%g` chooses it. */
function generalText(
  { digits, point }: Digits,
  { precision, isShortest }: { precision: number; isShortest: boolean },
): string {
  const shown = digits.length;
  const limit = isShortest ? 6 : precision > shown && shown >= point ? shown : precision;
  return point <= -4 || point > limit
    ? withExponent({ digits, point }, Math.max(Math.min(precision, shown) - 1, 0))
    : withoutExponent({ digits, point }, Math.max(shown - point, 0));
}

function withExponent({ digits, point }: Digits, decimals: number): string {
  const exponent = digits === '' ? 0 : point - 1;
  const all = digits.padEnd(decimals + 1, '0');
  const fraction = decimals > 0 ? `.${all.slice(1, decimals + 1)}` : '';
  const sign = exponent < 0 ? '-' : '+';
  return `${all.charAt(0)}${fraction}e${sign}${String(Math.abs(exponent)).padStart(2, '0')}`;
}

function withoutExponent({ digits, point }: Digits, decimals: number): string {
  const whole = point > 0 ? digits.slice(0, point).padEnd(point, '0') : '0';
  if (decimals === 0) return whole;
  const fraction = point >= 0 ? digits.slice(point) : '0'.repeat(-point) + digits;
  return `${whole}.${fraction.slice(0, decimals).padEnd(decimals, '0')}`;
}

function shortestDigits(value: number): Digits {
  if (value === 0) return { digits: '', point: 0 };
  const [mantissa = '', exponent] = value.toExponential().split('e');
  return { digits: mantissa.replace('.', ''), point: Number(exponent) + 1 };
}

/** All decimal digits of the number that the bits mean. */
function exactDigits(value: number): Digits {
  if (value === 0) return { digits: '', point: 0 };
  const { mantissa, exponent } = bitsOf(value);
  const all = exponent >= 0 ? mantissa << BigInt(exponent) : mantissa * 5n ** BigInt(-exponent);
  const digits = String(all);
  const point = digits.length + Math.min(exponent, 0);
  return { digits: digits.replace(/0+$/, ''), point };
}

/** The first `count` digits, a half to the even one, without zeros at the end. */
function rounded({ digits, point }: Digits, count: number): Digits {
  if (count < 0) return { digits: '', point: 0 };
  if (digits.length <= count) return { digits, point };
  const kept = digits.slice(0, count);
  const rest = digits.slice(count);
  const isHalf = /^50*$/.test(rest);
  const isOdd = Number(kept.slice(-1) || '0') % 2 === 1;
  const isUp = isHalf ? isOdd : rest.charAt(0) >= '5';
  const result = isUp ? String(BigInt(`0${kept}`) + 1n).padStart(count, '0') : kept;
  const grown = result.length - count;
  const trimmed = result.replace(/0+$/, '');
  return trimmed === '' ? { digits: '', point: 0 } : { digits: trimmed, point: point + grown };
}

/** `0x1.8p+01`. */
function hexText(value: number, precision: number): string {
  if (value === 0) return `0x0${precision > 0 ? `.${'0'.repeat(precision)}` : ''}p+00`;
  let { mantissa, exponent } = bitsOf(value);
  const shift = 53n - BigInt(mantissa.toString(2).length);
  mantissa <<= shift;
  exponent -= Number(shift);
  if (precision >= 0 && precision < 13) {
    const dropped = BigInt(52 - precision * 4);
    const half = 1n << (dropped - 1n);
    const rest = mantissa & ((1n << dropped) - 1n);
    mantissa >>= dropped;
    if (rest > half || (rest === half && (mantissa & 1n) === 1n)) mantissa += 1n;
    mantissa <<= dropped;
    if (mantissa >> 53n > 0n) {
      mantissa >>= 1n;
      exponent += 1;
    }
  }
  const all = (mantissa & ((1n << 52n) - 1n)).toString(16).padStart(13, '0');
  const fraction = precision < 0 ? all.replace(/0+$/, '') : all.slice(0, precision).padEnd(precision, '0');
  const power = exponent + 52;
  const sign = power < 0 ? '-' : '+';
  return `0x1${fraction === '' ? '' : `.${fraction}`}p${sign}${String(Math.abs(power)).padStart(2, '0')}`;
}

/** `4503599627370496p-52`. */
function binaryText(value: number): string {
  const { mantissa, exponent } = value === 0 ? { mantissa: 0n, exponent: -1074 } : bitsOf(value);
  return `${mantissa}p${exponent < 0 ? '' : '+'}${exponent}`;
}

/** `mantissa` times 2 to the power of `exponent`. */
function bitsOf(value: number): { mantissa: bigint; exponent: number } {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  const bits = view.getBigUint64(0);
  const fraction = bits & ((1n << 52n) - 1n);
  const power = Number((bits >> 52n) & 0x7ffn);
  return power === 0
    ? { mantissa: fraction, exponent: -1074 }
    : { mantissa: fraction | (1n << 52n), exponent: power - 1075 };
}
