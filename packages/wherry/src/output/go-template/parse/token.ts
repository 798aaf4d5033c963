import type { GoString } from '../../go-values/go-value.ts';
import { quoted } from '../../go-values/quoted.ts';
import { countRunes, firstRunes } from '../../go-values/runes.ts';

/** What a token is; `problem` has a message in place of a text, and `character` is one that means nothing alone. */
export type TokenKind =
  | ('text' | 'left' | 'right' | 'space' | 'pipe' | 'leftParenthesis' | 'rightParenthesis')
  | ('assign' | 'declare' | 'character' | 'end of text' | 'problem')
  | ('field' | 'variable' | 'identifier' | 'keyword' | 'dot' | 'nil')
  | ('boolean' | 'number' | 'rune' | 'string' | 'rawString');

/** A part of a template that the lexer tells from others. */
export interface Token {
  kind: TokenKind;
  text: GoString;
  /** Where it begins, in bytes. */
  at: number;
  /** The line that it begins in, from 1. */
  line: number;
}

/** A token as messages name it. */
export function shownToken({ kind, text }: Token): GoString {
  if (kind === 'end of text') return 'EOF';
  if (kind === 'problem') return text;
  if (kind === 'keyword' || kind === 'dot' || kind === 'nil') return `<${text}>`;
  if (text.length <= 10) return quoted(text);
  return `${quoted(countRunes(text) > 10 ? firstRunes(text, 10) : text)}...`;
}

/** Words that begin, part or end actions. */
export const keywords: ReadonlySet<string> = new Set([
  ...['block', 'break', 'continue', 'define', 'else', 'end'],
  ...['if', 'range', 'template', 'with'],
]);
