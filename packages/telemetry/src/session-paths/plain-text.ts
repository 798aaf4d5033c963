import { limits } from '../limits.ts';

/** What a terminal obeys and what nobody sees: controls, ends of lines, marks of direction and of no width. */
const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

const usual = new Map([
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
]);

/** A text of somebody else's as one line that does nothing to a terminal: what would is written as `\x1b`, `\u202e`, `\n`. */
export function plainText(text: string): string {
  return text
    .slice(0, limits.sessionReadCharactersMax)
    .replace(hidden, (character) => usual.get(character) ?? numbered(character.codePointAt(0) ?? 0));
}

function numbered(code: number): string {
  const digits = code.toString(16);
  if (code < 0x100) return `\\x${digits.padStart(2, '0')}`;
  return code < 0x1_0000 ? `\\u${digits.padStart(4, '0')}` : `\\u{${digits}}`;
}
