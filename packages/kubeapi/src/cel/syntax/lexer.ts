/** Texts as tokens (the CEL specification, "Lexis"). */

import { CompileError } from './ast.ts';
import { bytesLiteral, textLiteral } from './literals.ts';

/** A token. `text` is the source of it; for texts and bytes the content. */
export type Token =
  | {
      readonly kind: 'name' | 'operator' | 'int' | 'uint' | 'double' | 'end';
      readonly text: string;
      readonly at: number;
    }
  | { readonly kind: 'string'; readonly text: string; readonly at: number }
  | { readonly kind: 'bytes'; readonly text: string; readonly bytes: Uint8Array; readonly at: number };

const space = /[\t\n\f\r ]+|\/\/[^\n]*/y;
const operator = /==|!=|<=|>=|&&|\|\||[-+*/%<>!?:.,()[\]{}]/y;
const number =
  /(?:\d+\.\d+(?:[eE][-+]?\d+)?|\d+[eE][-+]?\d+|\.\d+(?:[eE][-+]?\d+)?)|(?:0x[0-9a-fA-F]+|\d+)([uU])?/y;
const name = /[A-Za-z_]\w*/y;
const quoted =
  /([bB])?(?:"""((?:\\[\s\S]|[^\\])*?)"""|'''((?:\\[\s\S]|[^\\])*?)'''|"((?:\\.|[^"\\\n\r])*)"|'((?:\\.|[^'\\\n\r])*)')/y;
const rawQuoted = /([bB]?[rR][bB]?)(?:"""([\s\S]*?)"""|'''([\s\S]*?)'''|"([^"\n\r]*)"|'([^'\n\r]*)')/y;

/** The tokens of a text, and an end. Throws CompileError. */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  const match = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    return pattern.exec(text);
  };
  while (at < text.length) {
    const found = match(space);
    if (found) {
      at += found[0].length;
      continue;
    }
    const literal = match(rawQuoted) ?? match(quoted);
    if (literal) tokens.push(literalToken(text, literal, at));
    else {
      const token = plainToken(match, at);
      if (!token) {
        const message = `Syntax error: token recognition error at: '${[...text.slice(at)][0]}'`;
        throw new CompileError(text, [{ at, message }]);
      }
      tokens.push(token);
    }
    at += literal ? literal[0].length : tokens.at(-1)!.text.length;
  }
  return [...tokens, { kind: 'end', text: '<EOF>', at: text.length }];
}

function plainToken(match: (pattern: RegExp) => RegExpExecArray | null, at: number): Token | undefined {
  const digits = match(number);
  if (digits) {
    const [text, unsigned] = digits;
    const isDouble = !/^0x/.test(text) && /[.eE]/.test(text);
    return { kind: isDouble ? 'double' : unsigned ? 'uint' : 'int', text, at };
  }
  const word = match(name);
  if (word) return { kind: 'name', text: word[0], at };
  const sign = match(operator);
  return sign ? { kind: 'operator', text: sign[0], at } : undefined;
}

function literalToken(text: string, literal: RegExpExecArray, at: number): Token {
  const [, prefix = '', ...contents] = literal;
  const content = contents.find((each) => each !== undefined) ?? '';
  const isRaw = /r/i.test(prefix);
  try {
    if (/b/i.test(prefix)) return { kind: 'bytes', text: '', bytes: bytesLiteral(content, isRaw), at };
    return { kind: 'string', text: textLiteral(content, isRaw), at };
  } catch (error) {
    throw new CompileError(text, [{ at, message: error instanceof Error ? error.message : String(error) }]);
  }
}
