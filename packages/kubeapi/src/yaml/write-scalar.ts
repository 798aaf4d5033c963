/** How libyaml, as Go has it, writes one scalar: which quotes, where it breaks, what it escapes. */
import { needsQuotes } from './plain-scalar.ts';

const widthMax = 80;
const keyBytesMax = 128;
const encoder = new TextEncoder();

const escapes: ReadonlyMap<string, string> = new Map([
  ['\0', '0'],
  ['\u0007', 'a'],
  ['\b', 'b'],
  ['\t', 't'],
  ['\n', 'n'],
  ['\v', 'v'],
  ['\f', 'f'],
  ['\r', 'r'],
  ['\u001b', 'e'],
  ['"', '"'],
  ['\\', '\\'],
  ['\u0085', 'N'],
  ['\u00a0', '_'],
  ['\u2028', 'L'],
  ['\u2029', 'P'],
]);

/** What a text allows. */
interface Analysis {
  isPlainAllowed: boolean;
  isSingleQuotedAllowed: boolean;
  isBlockAllowed: boolean;
}

/** Writes a document piece by piece, and knows its column. */
export class ScalarWriter {
  readonly #pieces: string[] = [];
  #last = '';
  #column = 0;

  /** A new line with so many spaces; none at the beginning of the document. */
  line(indent: number): void {
    if (this.#last !== '' && this.#last !== '\n') this.#break();
    this.#put(' '.repeat(indent));
  }

  /** `-`, `{}`, `3`: apart from what is before it. */
  indicator(text: string): void {
    if (this.#last !== '' && this.#last !== ' ' && this.#last !== '\n') this.#put(' ');
    this.#put(text);
  }

  /** `name:`, or `? name` where it is too long or has several lines. */
  key(name: string, indent: number): void {
    const isSimple = !hasBreak(name) && encoder.encode(name).length <= keyBytesMax;
    if (!isSimple) this.indicator('?');
    this.#scalar(name, indent + 2, styleOf(name, isSimple, needsQuotes(name)), !isSimple);
    if (!isSimple) this.line(indent);
    this.#put(':');
  }

  /** A text as a value. Its further lines have `indent`. */
  text(value: string, indent: number): void {
    this.#scalar(value, indent, styleOf(value, false, needsQuotes(value)), true);
  }

  finish(): string {
    if (this.#last !== '\n') this.#break();
    return this.#pieces.join('');
  }

  #scalar(value: string, indent: number, style: Style, mayBreak: boolean): void {
    this.indicator('');
    if (style === 'plain') this.#folded(value, indent, mayBreak, '');
    else if (style === 'single') this.#folded(value, indent, mayBreak, "'");
    else if (style === 'double') this.#double(value, indent, mayBreak);
    else this.#literal(value, indent);
  }

  /** Plain or in single quotes, which differ in where they may break and in the doubled quote. */
  #folded(value: string, indent: number, mayBreak: boolean, quote: string): void {
    this.#put(quote);
    if (!mayBreak || this.#column + value.length <= widthMax) {
      this.#put(quote === '' ? value : value.replaceAll("'", "''"));
      this.#put(quote);
      return;
    }
    let hasSpaces = false;
    const characters = [...value];
    for (const [at, character] of characters.entries()) {
      if (character !== ' ') {
        this.#put(character === "'" && quote !== '' ? "''" : character);
        hasSpaces = false;
        continue;
      }
      const isInside = quote === '' || (at > 0 && at < characters.length - 1);
      const isAlone = !hasSpaces && characters[at + 1] !== ' ';
      if (mayBreak && isAlone && isInside && this.#column > widthMax) this.line(indent);
      else this.#put(character);
      hasSpaces = true;
    }
    this.#put(quote);
  }

  #double(value: string, indent: number, mayBreak: boolean): void {
    this.#put('"');
    let hasSpaces = false;
    const characters = [...value];
    for (const [at, character] of characters.entries()) {
      if (character !== ' ') {
        this.#put(escaped(character));
        hasSpaces = false;
        continue;
      }
      const isInside = at > 0 && at < characters.length - 1;
      if (mayBreak && !hasSpaces && isInside && this.#column > widthMax) {
        this.line(indent);
        if (characters[at + 1] === ' ') this.#put('\\');
      } else this.#put(character);
      hasSpaces = true;
    }
    this.#put('"');
  }

  #literal(value: string, indent: number): void {
    const leading = /^[ \n]/.test(value) ? '2' : '';
    const chomping = !value.endsWith('\n') ? '-' : /^\n$|\n\n$/.test(value) ? '+' : '';
    this.#put(`|${leading}${chomping}`);
    for (const line of value.replace(/\n$/, '').split('\n')) {
      this.#break();
      if (line !== '') this.#put(`${' '.repeat(indent)}${line}`);
    }
    if (value.endsWith('\n')) this.#break();
  }

  #put(text: string): void {
    if (text === '') return;
    this.#pieces.push(text);
    this.#last = text.at(-1) ?? '';
    this.#column += text.length;
  }

  #break(): void {
    this.#pieces.push('\n');
    this.#last = '\n';
    this.#column = 0;
  }
}

type Style = 'plain' | 'single' | 'double' | 'literal';

function styleOf(value: string, isKey: boolean, isAmbiguous: boolean): Style {
  const { isPlainAllowed, isSingleQuotedAllowed, isBlockAllowed } = analyze(value);
  if (value.includes('\n')) return isBlockAllowed && !isKey ? 'literal' : 'double';
  if (isAmbiguous) return 'double';
  if (isPlainAllowed && !(value === '' && isKey)) return 'plain';
  return isSingleQuotedAllowed ? 'single' : 'double';
}

const isBreak = (character: string) => /^[\n\r\u0085\u2028\u2029]$/.test(character);
const hasBreak = (value: string) => /[\n\r\u0085\u2028\u2029]/.test(value);
const blank = '[ \\t]|$';
const blockIndicator = new RegExp(
  `^(?:---|\\.\\.\\.|[#,[\\]{}&*!|>'"%@\`]|[?:-](?:${blank}))|:(?:${blank})|[\\s\\0]#`,
);

function analyze(value: string): Analysis {
  const isSpecial = hasUnprintable(value) || / [\n\r\u0085\u2028\u2029]/.test(value);
  const isBroken = /[\n\r\u0085\u2028\u2029] /.test(value);
  const isEdged = /^[ \n\r\u0085\u2028\u2029]|[ \n\r\u0085\u2028\u2029]$/.test(value);
  return {
    isPlainAllowed: !isSpecial && !isBroken && !isEdged && !hasBreak(value) && !blockIndicator.test(value),
    isSingleQuotedAllowed: !isSpecial && !isBroken,
    isBlockAllowed: !isSpecial && !value.endsWith(' '),
  };
}

const hasUnprintable = (value: string): boolean =>
  !/^[\n\x20-\x7e]*$/.test(value) && [...value].some((character) => !isPrintable(character));

/** What libyaml writes as it is. Characters above U+FFFF are none of them. */
function isPrintable(character: string): boolean {
  const code = character.codePointAt(0) ?? 0;
  if (code === 0x0a || (code >= 0x20 && code <= 0x7e)) return true;
  return code >= 0xa0 && code <= 0xfffd && code !== 0xfeff && !(code >= 0xd800 && code < 0xe000);
}

function escaped(character: string): string {
  const short = escapes.get(character);
  if (
    short !== undefined &&
    (character === '"' || character === '\\' || isBreak(character) || !isPrintable(character))
  )
    return `\\${short}`;
  if (isPrintable(character) && !isBreak(character)) return character;
  const code = character.codePointAt(0) ?? 0;
  const hex = (digits: number) => code.toString(16).toUpperCase().padStart(digits, '0');
  return code <= 0xff ? `\\x${hex(2)}` : code <= 0xffff ? `\\u${hex(4)}` : `\\U${hex(8)}`;
}
