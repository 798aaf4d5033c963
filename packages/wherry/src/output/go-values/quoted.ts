import type { GoString } from './go-value.ts';
import { isPrintable, isRune, replacementRune, runeBytes, runesOf } from './runes.ts';

const escapes = new Map([
  [0x07, '\\a'],
  [0x08, '\\b'],
  [0x0c, '\\f'],
  [0x0a, '\\n'],
  [0x0d, '\\r'],
  [0x09, '\\t'],
  [0x0b, '\\v'],
  [0x5c, '\\\\'],
]);

/** A string as Go's `strconv.Quote` writes it; with `isAscii`, as `QuoteToASCII` does. */
export function quoted(bytes: GoString, { isAscii = false } = {}): GoString {
  let text = '"';
  let at = 0;
  for (const { code, size } of runesOf(bytes)) {
    const isBroken = code === replacementRune && size === 1;
    text += isBroken ? `\\x${hex(bytes.charCodeAt(at), 2)}` : escaped(code, { quote: '"', isAscii });
    at += size;
  }
  return `${text}"`;
}

/** A code point in single quotes, as `%q` writes a number. */
export const quotedRune = (code: number, { isAscii = false } = {}): GoString =>
  `'${escaped(isRune(code) ? code : replacementRune, { quote: "'", isAscii })}'`;

/** True for what can stand between back quotes as it is. */
export const canBackquote = (bytes: GoString): boolean =>
  ![...runesOf(bytes)].some(
    ({ code, size }) =>
      (code === replacementRune && size === 1) ||
      code === 0xfeff ||
      (code < 0x20 && code !== 0x09) ||
      code === 0x60 ||
      code === 0x7f,
  );

function escaped(code: number, { quote, isAscii }: { quote: string; isAscii: boolean }): GoString {
  if (code === quote.charCodeAt(0)) return `\\${quote}`;
  const simple = escapes.get(code);
  if (simple !== undefined) return simple;
  if (isPrintable(code) && (code < 0x80 || !isAscii)) return runeBytes(code);
  if (code < 0x20 || code === 0x7f) return `\\x${hex(code, 2)}`;
  return code < 0x10000 ? `\\u${hex(code, 4)}` : `\\U${hex(code, 8)}`;
}

const hex = (code: number, digits: number): string => code.toString(16).padStart(digits, '0');
