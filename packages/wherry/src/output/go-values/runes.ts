import { type GoString, goString } from './go-value.ts';

/** What stands for bytes that are no UTF-8. */
export const replacementRune = 0xfffd;

/** A code point, and how many bytes it took. */
export interface Rune {
  code: number;
  size: number;
}

/** The code point that begins at a byte; {@link replacementRune} of one byte where none does. */
export function runeAt(bytes: GoString, at: number): Rune {
  const first = bytes.charCodeAt(at);
  if (first < 0x80) return { code: first, size: 1 };
  const size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  const text = Buffer.from(bytes.slice(at, at + size), 'latin1').toString();
  const code = text.codePointAt(0) ?? replacementRune;
  const isWhole = first >= 0xc2 && goString(String.fromCodePoint(code)) === bytes.slice(at, at + size);
  return isWhole ? { code, size } : { code: replacementRune, size: 1 };
}

/** The code points one after the other. */
export function* runesOf(bytes: GoString): Generator<Rune> {
  for (let at = 0; at < bytes.length; ) {
    const rune = runeAt(bytes, at);
    yield rune;
    at += rune.size;
  }
}

/** How many code points there are. */
export function countRunes(bytes: GoString): number {
  let count = 0;
  for (const _ of runesOf(bytes)) count += 1;
  return count;
}

/** The first `count` code points. */
export function firstRunes(bytes: GoString, count: number): GoString {
  let end = 0;
  for (let taken = 0; taken < count && end < bytes.length; taken += 1) end += runeAt(bytes, end).size;
  return bytes.slice(0, end);
}

/** True for a code point that UTF-8 can say. */
export const isRune = (code: number): boolean =>
  code >= 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);

/** The bytes of a code point; of what is none, those of {@link replacementRune}. */
export const runeBytes = (code: number): GoString =>
  goString(String.fromCodePoint(isRune(code) ? code : replacementRune));

/** As Go's `unicode.IsPrint`. */
export const isPrintable = (code: number): boolean =>
  /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u.test(String.fromCodePoint(code));
