import type { GoString } from '../../go-values/go-value.ts';
import { quoted } from '../../go-values/quoted.ts';
import { isPrintable, runeAt, runeBytes } from '../../go-values/runes.ts';
import { keywords, type Token, type TokenKind } from './token.ts';

const left = '{{';
const right = '}}';
/** A trim marker, and the space beside it. */
const markerLength = 2;

/** Cuts a template into tokens, as the lexer of Go's `text/template` does. */
export class Lexer {
  readonly #input: GoString;
  #at = 0;
  #start = 0;
  /** How many lines have ended in front of `#start`. */
  #linesBefore = 0;
  #isInAction = false;
  #openParentheses = 0;
  #hasFailed = false;

  constructor(input: GoString) {
    this.#input = input;
  }

  /** The next token; at the end, and after a problem, that of the end, again and again. */
  next(): Token {
    if (this.#hasFailed) return { kind: 'end of text', text: 'EOF', at: 0, line: this.#linesBefore + 1 };
    return this.#isInAction ? this.#insideAction() : this.#outside();
  }

  #outside(): Token {
    for (;;) {
      const found = this.#input.indexOf(left, this.#at);
      const end = found === -1 ? this.#input.length : found;
      this.#at = this.#textEnd(end, found !== -1);
      const text = this.#token('text');
      this.#at = end;
      this.#ignore();
      if (text.text !== '') return text;
      if (found === -1) return this.#token('end of text');
      const action = this.#leftOrComment();
      if (action) return action;
    }
  }

  /** Where a text ends whose end an action may trim. */
  #textEnd(end: number, isBeforeAction: boolean): number {
    if (!isBeforeAction || !this.#hasLeftMarker(end + left.length)) return end;
    let trimmed = end;
    while (trimmed > this.#start && isSpace(this.#input.charAt(trimmed - 1))) trimmed -= 1;
    return trimmed;
  }

  /** The beginning of an action; undefined where there was a comment. */
  #leftOrComment(): Token | undefined {
    this.#at += left.length;
    const marker = this.#hasLeftMarker(this.#at) ? markerLength : 0;
    if (this.#input.startsWith('/*', this.#at + marker)) return this.#comment(this.#at + marker);
    const token = this.#token('left');
    this.#isInAction = true;
    this.#at += marker;
    this.#ignore();
    this.#openParentheses = 0;
    return token;
  }

  #comment(start: number): Token | undefined {
    this.#at = start;
    this.#ignore();
    const end = this.#input.indexOf('*/', start + 2);
    if (end === -1) return this.#problem('unclosed comment');
    this.#at = end + 2;
    const closing = this.#rightDelimiter();
    if (!closing) return this.#problem('comment ends before closing delimiter');
    this.#skipRight(closing.trims);
    this.#ignore();
    return undefined;
  }

  #skipRight(trims: boolean): void {
    this.#at += right.length + (trims ? markerLength : 0);
    if (trims) while (isSpace(this.#input.charAt(this.#at))) this.#at += 1;
  }

  #insideAction(): Token {
    const closing = this.#rightDelimiter();
    if (closing) {
      if (this.#openParentheses > 0) return this.#problem('unclosed left paren');
      return this.#rightToken(closing.trims);
    }
    if (this.#at >= this.#input.length) return this.#problem('unclosed action');
    const sign = this.#input.charAt(this.#at);
    if (isSpace(sign)) return this.#spaces();
    const { code, size } = runeAt(this.#input, this.#at);
    if (sign === '.' && /[^0-9]/.test(this.#input.charAt(this.#at + 1)))
      return this.#fieldOrVariable('field');
    if (/[0-9.+-]/.test(sign)) return this.#number();
    if (isWordRune(code)) return this.#word();
    this.#at += size;
    return this.#sign(sign, code);
  }

  #sign(sign: string, code: number): Token {
    switch (sign) {
      case '=':
        return this.#token('assign');
      case '|':
        return this.#token('pipe');
      case ':':
        if (this.#input.charAt(this.#at) !== '=') return this.#problem('expected :=');
        this.#at += 1;
        return this.#token('declare');
      case '"':
        return this.#quotedText('"', 'string', 'unterminated quoted string');
      case "'":
        return this.#quotedText("'", 'rune', 'unterminated character constant');
      case '`':
        return this.#rawText();
      case '$':
        this.#at -= 1;
        return this.#fieldOrVariable('variable');
      case '(':
        this.#openParentheses += 1;
        return this.#token('leftParenthesis');
      case ')':
        this.#openParentheses -= 1;
        return this.#openParentheses < 0
          ? this.#problem('unexpected right paren')
          : this.#token('rightParenthesis');
      default:
        if (code < 0x80 && isPrintable(code)) return this.#token('character');
        return this.#problem(`unrecognized character in action: ${shownRune(code)}`);
    }
  }

  #rightToken(trims: boolean): Token {
    if (trims) {
      this.#at += markerLength;
      this.#ignore();
    }
    this.#at += right.length;
    const token = this.#token('right');
    if (trims) while (isSpace(this.#input.charAt(this.#at))) this.#at += 1;
    this.#ignore();
    this.#isInAction = false;
    return token;
  }

  /** A run of spaces, but for one that belongs to a trim marker. */
  #spaces(): Token {
    while (isSpace(this.#input.charAt(this.#at))) this.#at += 1;
    if (this.#input.startsWith(`-${right}`, this.#at)) {
      this.#at -= 1;
      if (this.#at === this.#start) return this.#rightToken(true);
    }
    return this.#token('space');
  }

  #word(): Token {
    this.#skipWord();
    const word = this.#input.slice(this.#start, this.#at);
    if (!this.#isAtTerminator()) return this.#badCharacter();
    if (keywords.has(word)) return this.#token('keyword');
    if (word === 'nil') return this.#token('nil');
    return this.#token(word === 'true' || word === 'false' ? 'boolean' : 'identifier');
  }

  #fieldOrVariable(kind: 'field' | 'variable'): Token {
    this.#at += 1;
    if (this.#isAtTerminator()) return this.#token(kind === 'field' ? 'dot' : kind);
    this.#skipWord();
    return this.#isAtTerminator() ? this.#token(kind) : this.#badCharacter();
  }

  #skipWord(): void {
    while (this.#at < this.#input.length) {
      const { code, size } = runeAt(this.#input, this.#at);
      if (!isWordRune(code)) return;
      this.#at += size;
    }
  }

  #isAtTerminator(): boolean {
    const sign = this.#input.charAt(this.#at);
    return sign === '' || isSpace(sign) || /[.,|:()]/.test(sign) || this.#input.startsWith(right, this.#at);
  }

  #quotedText(quote: string, kind: TokenKind, problem: string): Token {
    for (;;) {
      const sign = this.#input.charAt(this.#at);
      const escaped = sign === '\\' ? this.#input.charAt(this.#at + 1) : sign;
      if (escaped === '' || escaped === '\n') return this.#problem(problem);
      this.#at += sign === '\\' ? 1 + runeAt(this.#input, this.#at + 1).size : 1;
      if (sign === quote) return this.#token(kind);
    }
  }

  #rawText(): Token {
    const end = this.#input.indexOf('`', this.#at);
    if (end === -1) return this.#problem('unterminated raw quoted string');
    this.#at = end + 1;
    return this.#token('rawString');
  }

  /** What looks like a number, or like a sum that is a complex one; whether it is one, says who reads it. */
  #number(): Token {
    const isNumber = this.#skipNumber();
    const isSum = isNumber && /[+-]/.test(this.#input.charAt(this.#at));
    const isGood = isSum ? this.#skipNumber() && this.#input.charAt(this.#at - 1) === 'i' : isNumber;
    if (isGood) return this.#token('number');
    return this.#problem(`bad number syntax: ${quoted(this.#input.slice(this.#start, this.#at))}`);
  }

  /** False, and one character further, where a letter or a digit follows. */
  #skipNumber(): boolean {
    numberPattern.lastIndex = this.#at;
    this.#at += numberPattern.exec(this.#input)?.[0].length ?? 0;
    if (this.#at >= this.#input.length) return true;
    const { code, size } = runeAt(this.#input, this.#at);
    if (!isWordRune(code)) return true;
    this.#at += size;
    return false;
  }

  #badCharacter(): Token {
    const { code } = runeAt(this.#input, this.#at);
    return this.#problem(`bad character ${shownRune(code)}`);
  }

  #hasLeftMarker(at: number): boolean {
    return this.#input.charAt(at) === '-' && isSpace(this.#input.charAt(at + 1));
  }

  #rightDelimiter(): { trims: boolean } | undefined {
    if (this.#input.startsWith(right, this.#at)) return { trims: false };
    const trims = isSpace(this.#input.charAt(this.#at)) && this.#input.startsWith(`-${right}`, this.#at + 1);
    return trims ? { trims } : undefined;
  }

  #token(kind: TokenKind): Token {
    const text = kind === 'end of text' ? 'EOF' : this.#input.slice(this.#start, this.#at);
    const token = { kind, text, at: this.#start, line: this.#linesBefore + 1 };
    this.#ignore();
    return token;
  }

  #problem(text: GoString): Token {
    this.#hasFailed = true;
    return { kind: 'problem', text, at: this.#start, line: this.#linesBefore + 1 };
  }

  #ignore(): void {
    for (; this.#start < this.#at; this.#start += 1)
      if (this.#input.charAt(this.#start) === '\n') this.#linesBefore += 1;
  }
}

const numberPattern =
  /[+-]?(?:0[xX][0-9a-fA-F_]*(?:\.[0-9a-fA-F_]*)?(?:[pP][+-]?[0-9_]*)?|0[oO][0-7_]*(?:\.[0-7_]*)?|0[bB][01_]*(?:\.[01_]*)?|[0-9_]*(?:\.[0-9_]*)?(?:[eE][+-]?[0-9_]*)?)i?/y;

const isSpace = (sign: string): boolean => sign !== '' && ' \t\r\n'.includes(sign);

const isWordRune = (code: number): boolean => /^[_\p{L}\p{Nd}]$/u.test(String.fromCodePoint(code));

/** `U+0023 '#'`. */
function shownRune(code: number): GoString {
  const digits = code.toString(16).toUpperCase().padStart(4, '0');
  return `U+${digits}${isPrintable(code) ? ` '${runeBytes(code)}'` : ''}`;
}
