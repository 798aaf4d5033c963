import { GoInt, type GoString } from '../../go-values/go-value.ts';
import { quoted } from '../../go-values/quoted.ts';
import { isRune, runeAt, runeBytes } from '../../go-values/runes.ts';

/** A number of a template; `tooGreat` is one that only an unsigned integer holds, which no template can use. */
export type NumberLiteral = GoInt | number | 'tooGreat';

/** The value of a string in double, single or back quotes. Throws `SyntaxError` where Go's `strconv.Unquote` fails. */
export function unquote(source: GoString): GoString {
  const inside = source.slice(1, -1);
  if (source.startsWith('`')) return inside.replaceAll('\r', '');
  let value = '';
  for (let at = 0; at < inside.length; ) {
    const read = readCharacter(inside, at, source.charAt(0));
    value += read.bytes;
    at += read.size;
  }
  return value;
}

/** The number of a rune, such as `'a'`, likewise. */
export function runeLiteral(source: GoString): GoInt {
  const read = readCharacter(source, 1, "'");
  if (source.slice(1 + read.size) !== "'") throw new SyntaxError(`malformed character constant: ${source}`);
  return new GoInt(read.code);
}

const simpleEscapes = new Map([
  ['a', 0x07],
  ['b', 0x08],
  ['f', 0x0c],
  ['n', 0x0a],
  ['r', 0x0d],
  ['t', 0x09],
  ['v', 0x0b],
  ['\\', 0x5c],
]);

/** Escapes by digits: their letter, and what stands behind it. */
const digitEscapes = [
  { pattern: /\\x([0-9a-fA-F]{2})/y, base: 16, isByte: true },
  { pattern: /\\([0-7]{3})/y, base: 8, isByte: true },
  { pattern: /\\u([0-9a-fA-F]{4})/y, base: 16, isByte: false },
  { pattern: /\\U([0-9a-fA-F]{8})/y, base: 16, isByte: false },
];

function readCharacter(
  text: GoString,
  at: number,
  quote: string,
): { code: number; bytes: GoString; size: number } {
  const sign = text.charAt(at);
  if (sign === '' || sign === quote) throw new SyntaxError('invalid syntax');
  if (sign !== '\\') {
    const { code, size } = runeAt(text, at);
    return { code, bytes: text.slice(at, at + size), size };
  }
  const letter = text.charAt(at + 1);
  const simple = letter === quote ? letter.charCodeAt(0) : simpleEscapes.get(letter);
  if (simple !== undefined) return { code: simple, bytes: String.fromCharCode(simple), size: 2 };
  for (const { pattern, base, isByte } of digitEscapes) {
    pattern.lastIndex = at;
    const [whole = '', digits = ''] = pattern.exec(text) ?? [];
    const code = Number.parseInt(digits, base);
    if (whole === '' || (isByte ? code > 0xff : !isRune(code))) continue;
    return { code, bytes: isByte ? String.fromCharCode(code) : runeBytes(code), size: whole.length };
  }
  throw new SyntaxError('invalid syntax');
}

const underscored =
  /^[+-]?(?:0[xX]_?[0-9a-fA-F]+|0[oO]?_?[0-7]+|0[bB]_?[01]+|[1-9][0-9]*|0)(?:_[0-9a-fA-F]+)*$/;

/** A number: what has no point and no exponent is an `int`. Throws `SyntaxError` in Go's words for what is none. */
export function numberLiteral(source: GoString): NumberLiteral {
  if (source.endsWith('i')) throw new SyntaxError(`complex numbers are not there: ${quoted(source)}`);
  const integer = integerOf(source);
  if (integer !== undefined) {
    if (integer >= -(2n ** 63n) && integer < 2n ** 63n) return new GoInt(integer);
    if (integer < 2n ** 64n && integer > 0n && !source.startsWith('+')) return 'tooGreat';
    throw new SyntaxError(`integer overflow: ${quoted(source)}`);
  }
  const float = floatOf(source);
  if (float === undefined) throw new SyntaxError(`illegal number syntax: ${quoted(source)}`);
  if (!/[.eEpP]/.test(source)) throw new SyntaxError(`integer overflow: ${quoted(source)}`);
  return float;
}

function integerOf(source: GoString): bigint | undefined {
  if (!underscored.test(source)) return undefined;
  const digits = source.replace(/^[+-]/, '').replaceAll('_', '');
  const written = /^0[0-7]+$/.test(digits) ? `0o${digits.slice(1)}` : digits;
  try {
    const size = BigInt(written);
    return source.startsWith('-') ? -size : size;
  } catch {
    return undefined;
  }
}

/** A number with a point or an exponent, an underscore between two digits or behind `0x` left out. */
function floatOf(source: GoString): number | undefined {
  const isHex = /^[+-]?0[xX]/.test(source);
  const text = source.replace(isHex ? /(?<=[0-9a-fA-FxX])_(?=[0-9a-fA-F])/g : /(?<=[0-9])_(?=[0-9])/g, '');
  const value = isHex ? hexFloat(text) : decimalFloat(text);
  return value !== undefined && Number.isFinite(value) ? value : undefined;
}

const decimalFloat = (text: string): number | undefined =>
  /^[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$/.test(text) ? Number(text) : undefined;

function hexFloat(text: string): number | undefined {
  const [, sign, whole = '', fraction = '', power] =
    /^([+-]?)0[xX]([0-9a-fA-F]*)\.?([0-9a-fA-F]*)[pP]([+-]?[0-9]+)$/.exec(text) ?? [];
  if (power === undefined || whole + fraction === '') return undefined;
  const size = Number(`0x${whole}${fraction}`) * 2 ** (Number(power) - fraction.length * 4);
  return sign === '-' ? -size : size;
}
