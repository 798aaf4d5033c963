import { type FloatVerb, floatText } from './floats.ts';
import type { GoString } from './go-value.ts';
import { type PrintFlags, padded, paddedBy } from './print-flags.ts';
import { canBackquote, quoted, quotedRune } from './quoted.ts';
import { firstRunes, isPrintable, runeBytes } from './runes.ts';

/** A string by a verb of `fmt`. Undefined where the verb is none of strings. */
export function printString(text: GoString, verb: string, flags: PrintFlags): GoString | undefined {
  const { precision, isSource } = flags;
  const shown = precision === undefined ? text : firstRunes(text, precision);
  if (verb === 'q' || (verb === 'v' && isSource)) {
    if (flags.sharp && canBackquote(shown)) return padded(`\`${shown}\``, flags);
    return padded(quoted(shown, { isAscii: flags.plus }), flags);
  }
  if (verb === 's' || verb === 'v') return printText(text, flags);
  return verb === 'x' || verb === 'X' ? printBytes(text, verb, flags) : undefined;
}

/** A text as it is, but as long and as wide as was asked for. */
export function printText(text: GoString, flags: PrintFlags): GoString {
  const { precision } = flags;
  return padded(precision === undefined ? text : firstRunes(text, precision), flags);
}

/** Each byte by two digits. */
function printBytes(text: GoString, verb: 'x' | 'X', flags: PrintFlags): GoString {
  const { sharp, space, precision = text.length, width = 0 } = flags;
  const pairs = [...text.slice(0, precision)].map((byte) => byte.charCodeAt(0).toString(16).padStart(2, '0'));
  if (pairs.length === 0) return paddedBy('', width, flags);
  const prefix = sharp ? '0x' : '';
  const all = prefix + pairs.join(space ? ` ${prefix}` : '');
  return paddedBy(verb === 'X' ? all.toUpperCase() : all, width - all.length, flags);
}

/** A truth by a verb of `fmt`, likewise. */
export const printBoolean = (value: boolean, verb: string, flags: PrintFlags): GoString | undefined =>
  verb === 't' || verb === 'v' ? padded(String(value), flags) : undefined;

const bases = new Map([
  ['v', 10],
  ['d', 10],
  ['b', 2],
  ['o', 8],
  ['O', 8],
  ['x', 16],
  ['X', 16],
]);

/** A whole number by a verb of `fmt`, likewise. A byte is without a sign. */
export function printInteger(
  value: bigint,
  verb: string,
  flags: PrintFlags,
  { isByte = false } = {},
): GoString | undefined {
  if (isByte && verb === 'v' && flags.isSource) return digitsText(value, 'x', { ...flags, sharp: true });
  if (bases.has(verb)) return digitsText(value, verb, flags);
  const code = value >= 0n && value <= 0x10ffffn ? Number(value) : 0xfffd;
  if (verb === 'c') return padded(runeBytes(code), flags);
  if (verb === 'q') return padded(quotedRune(code, { isAscii: flags.plus }), flags);
  return verb === 'U' ? unicodeText(value, flags) : undefined;
}

function digitsText(value: bigint, verb: string, flags: PrintFlags): GoString {
  const { plus, minus, sharp, space, zero, width, precision } = flags;
  if (precision === 0 && value === 0n) return ' '.repeat(width ?? 0);
  const isNegative = value < 0n;
  const signs = isNegative || plus || space ? 1 : 0;
  const least = precision ?? (zero && !minus && width !== undefined ? width - signs : 0);
  const base = bases.get(verb) ?? 10;
  let digits = (isNegative ? -value : value).toString(base).padStart(least, '0');
  if (sharp && base === 2) digits = `0b${digits}`;
  if (sharp && base === 8 && !digits.startsWith('0')) digits = `0${digits}`;
  if (sharp && base === 16) digits = `0x${digits}`;
  if (verb === 'X') digits = digits.toUpperCase();
  if (verb === 'O') digits = `0o${digits}`;
  const sign = isNegative ? '-' : plus ? '+' : space ? ' ' : '';
  return padded(sign + digits, { ...flags, zero: false });
}

/** `U+00E9`, and with `#` the character too. */
function unicodeText(value: bigint, flags: PrintFlags): GoString {
  const code = Number(value);
  const digits = BigInt.asUintN(64, value)
    .toString(16)
    .toUpperCase()
    .padStart(Math.max(flags.precision ?? 0, 4), '0');
  const isShown = flags.sharp && code >= 0 && code <= 0x10ffff && isPrintable(code);
  return padded(`U+${digits}${isShown ? ` '${runeBytes(code)}'` : ''}`, { ...flags, zero: false });
}

const floatVerbs = new Map<string, { verb: FloatVerb; precision: number }>([
  ['v', { verb: 'g', precision: -1 }],
  ['g', { verb: 'g', precision: -1 }],
  ['G', { verb: 'g', precision: -1 }],
  ['b', { verb: 'b', precision: -1 }],
  ['x', { verb: 'x', precision: -1 }],
  ['X', { verb: 'x', precision: -1 }],
  ['e', { verb: 'e', precision: 6 }],
  ['E', { verb: 'e', precision: 6 }],
  ['f', { verb: 'f', precision: 6 }],
  ['F', { verb: 'f', precision: 6 }],
]);

/** A `float64` by a verb of `fmt`, likewise. */
export function printFloat(value: number, verb: string, flags: PrintFlags): GoString | undefined {
  const form = floatVerbs.get(verb);
  if (!form) return undefined;
  const { plus, minus, sharp, space, zero, width } = flags;
  const precision = flags.precision ?? form.precision;
  const plain = floatText(Math.abs(value), form.verb, precision);
  const pointed = sharp && verb !== 'b' ? withPoint(plain, verb, precision) : plain;
  const size = verb === 'G' || verb === 'E' || verb === 'X' ? pointed.toUpperCase() : pointed;
  const sign = value < 0 || Object.is(value, -0) ? '-' : plus ? '+' : space ? ' ' : '';
  if (sign !== '' && zero && !minus && width !== undefined) {
    return sign + paddedBy(size, width - size.length - 1, flags);
  }
  return padded(sign + size, flags);
}

/** With `#`: a point in any case, and as many digits as the precision says. */
function withPoint(text: string, verb: string, precision: number): string {
  const end = text.search(verb === 'x' || verb === 'X' ? /p/ : /e/);
  const number = end === -1 ? text : text.slice(0, end);
  const tail = end === -1 ? '' : text.slice(end);
  const hasPoint = number.includes('.');
  const shown = number.replace(/^[0.]*/, '').replace('.', '').length + (number === '0' ? 1 : 0);
  const wanted = /[vgGx]/.test(verb) ? (precision === -1 ? 6 : precision) : 0;
  return `${number}${hasPoint ? '' : '.'}${'0'.repeat(Math.max(wanted - shown, 0))}${tail}`;
}
