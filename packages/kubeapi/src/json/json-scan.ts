/**
 * A second look at JSON text, for what JSON.parse does not tell: doubled keys with their paths, the depth, and syntax
 * errors in the words that Go's decoder uses and clients know.
 */
import { fieldComplaintsMax, nestingDepthMax } from '../limits.ts';
import type { JsonValue } from './json-value.ts';

/** Text that is not JSON, or nests too deeply; the message is Go's. */
export class JsonSyntaxError extends Error {
  override readonly name = 'JsonSyntaxError';
}

interface Level {
  /** Keys seen so far; undefined in an array. */
  keys: Set<string> | undefined;
  index: number;
  key: string;
}

/** Paths of keys that occur twice in one object (`spec.containers[0].name`). Throws {@link JsonSyntaxError}. */
export function findDuplicateKeys(text: string): string[] {
  return noteKeys(text, new Set()).map(({ path }) => path);
}

/** A key that is complained of. */
export interface NotedKey {
  path: string;
  isDoubled: boolean;
}

/** Keys that occur twice in one object, and those of `sought`, each path once, as they come in the text. */
export function noteKeys(text: string, sought: ReadonlySet<string>): NotedKey[] {
  const scanner = new Scanner(text, sought);
  scanner.run();
  return scanner.noted;
}

/**
 * The same for text that JSON.parse has read as `value`, which has each key once: where the text has no more keys than
 * that, none of them is doubled.
 */
export function findDuplicateKeysOf(value: JsonValue, text: string): string[] {
  return countKeys(text) === keysIn(value) ? [] : findDuplicateKeys(text);
}

/** Throws {@link JsonSyntaxError} when valid JSON nests too deeply. */
export function checkDepth(text: string): void {
  countKeys(text);
}

const codes = { quote: 0x22, colon: 0x3a, bracket: 0x5b, backslash: 0x5c, brace: 0x7b } as const;
/** From an opening bracket or brace to its closing one. */
const closing = 2;

/** How many keys valid JSON has, doubled ones with each of their places. */
function countKeys(text: string): number {
  let [depth, keys] = [0, 0];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === codes.quote) at = endOfString(text, at);
    else if (code === codes.colon) keys++;
    else if (code === codes.brace || code === codes.bracket) {
      if (++depth > nestingDepthMax) throw new JsonSyntaxError('exceeded max depth');
    } else if (code === codes.brace + closing || code === codes.bracket + closing) depth--;
  }
  return keys;
}

function keysIn(value: JsonValue): number {
  if (typeof value !== 'object' || value === null) return 0;
  if (Array.isArray(value)) return value.reduce((sum: number, item) => sum + keysIn(item), 0);
  const parts = Object.values(value);
  return parts.reduce((sum: number, part) => sum + keysIn(part), parts.length);
}

function endOfString(text: string, start: number): number {
  let at = text.indexOf('"', start + 1);
  while (isEscaped(text, at)) at = text.indexOf('"', at + 1);
  return at;
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text.charCodeAt(at - 1 - backslashes) === codes.backslash) backslashes++;
  return backslashes % 2 === 1;
}

/** Why JSON.parse refused this text, in Go's words. */
export function describeSyntaxError(text: string): string {
  try {
    new Scanner(text).run();
    return 'invalid JSON';
  } catch (error) {
    if (error instanceof JsonSyntaxError) return error.message;
    throw error;
  }
}

const whitespace = /[ \t\r\n]*/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON strings hold none of them unescaped
const stringToken = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const numberToken = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

class Scanner {
  readonly #text: string;
  #position = 0;
  readonly #levels: Level[] = [];
  readonly #sought: ReadonlySet<string>;
  readonly noted: NotedKey[] = [];

  constructor(text: string, sought: ReadonlySet<string> = new Set()) {
    this.#text = text;
    this.#sought = sought;
  }

  run(): void {
    let needsValue = true;
    for (;;) {
      if (needsValue) needsValue = this.#value();
      else if (this.#levels.length === 0) break;
      else needsValue = this.#next();
    }
    this.#skipSpace();
    if (this.#position < this.#text.length) throw this.#unexpected('after top-level value');
  }

  /** Reads one value, or opens an object or array; true when a value must follow. */
  #value(): boolean {
    this.#skipSpace();
    const character = this.#text[this.#position];
    if (character === '{') return this.#openObject();
    if (character === '[') return this.#openArray();
    if (character === '"') this.#string();
    else if (character !== undefined && /[-\d]/.test(character)) this.#number();
    else this.#literal();
    return false;
  }

  #openObject(): boolean {
    this.#push({ keys: new Set(), index: 0, key: '' });
    this.#skipSpace();
    if (this.#text[this.#position] !== '}') return this.#key();
    this.#close();
    return false;
  }

  #openArray(): boolean {
    this.#push({ keys: undefined, index: 0, key: '' });
    this.#skipSpace();
    if (this.#text[this.#position] !== ']') return true;
    this.#close();
    return false;
  }

  #push(level: Level): void {
    this.#position++;
    if (this.#levels.push(level) > nestingDepthMax) throw new JsonSyntaxError('exceeded max depth');
  }

  #close(): void {
    this.#position++;
    this.#levels.pop();
  }

  /** After a value inside an object or array: the comma or the end; true when a value must follow. */
  #next(): boolean {
    this.#skipSpace();
    const level = this.#levels.at(-1)!;
    const character = this.#text[this.#position];
    if (character === ',') {
      this.#position++;
      level.index++;
      return level.keys ? this.#key() : true;
    }
    if (character !== (level.keys ? '}' : ']')) {
      throw this.#unexpected(level.keys ? 'after object key:value pair' : 'after array element');
    }
    this.#close();
    return false;
  }

  #key(): true {
    this.#skipSpace();
    if (this.#text[this.#position] !== '"')
      throw this.#unexpected('looking for beginning of object key string');
    const level = this.#levels.at(-1)!;
    level.key = JSON.parse(this.#string());
    const isDoubled = level.keys!.has(level.key);
    if (isDoubled || this.#sought.size > 0) this.#note(isDoubled);
    level.keys!.add(level.key);
    this.#skipSpace();
    if (this.#text[this.#position] !== ':') throw this.#unexpected('after object key');
    this.#position++;
    return true;
  }

  #note(isDoubled: boolean): void {
    if (this.noted.length >= fieldComplaintsMax) return;
    let path = '';
    for (const level of this.#levels) {
      if (!level.keys) path += `[${level.index}]`;
      else path += path === '' ? level.key : `.${level.key}`;
    }
    const isUnknown = this.#sought.has(path);
    if (!isUnknown && !isDoubled) return;
    if (!this.noted.some((each) => each.path === path)) this.noted.push({ path, isDoubled: !isUnknown });
  }

  #skipSpace(): void {
    whitespace.lastIndex = this.#position;
    whitespace.test(this.#text);
    this.#position = whitespace.lastIndex;
  }

  #string(): string {
    const token = this.#token(stringToken);
    if (token === undefined) throw this.#badString();
    return token;
  }

  #number(): void {
    if (this.#token(numberToken) === undefined) {
      this.#position++;
      throw this.#unexpected('in numeric literal');
    }
  }

  #literal(): void {
    for (const literal of ['true', 'false', 'null']) {
      if (this.#text[this.#position] !== literal[0]) continue;
      for (const expected of literal) {
        if (this.#text[this.#position] !== expected) {
          throw this.#unexpected(`in literal ${literal} (expecting '${expected}')`);
        }
        this.#position++;
      }
      return;
    }
    throw this.#unexpected('looking for beginning of value');
  }

  #token(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#position;
    const match = pattern.exec(this.#text);
    if (match) this.#position = pattern.lastIndex;
    return match?.[0];
  }

  #badString(): JsonSyntaxError {
    for (let at = this.#position + 1; at < this.#text.length; at++) {
      const character = this.#text[at]!;
      if (character === '\\') {
        const isEscape = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
        isEscape.lastIndex = at;
        this.#position = at + 1;
        if (!isEscape.test(this.#text)) return this.#unexpected('in string escape code');
        at++;
      } else if (character < ' ') {
        this.#position = at;
        return this.#unexpected('in string literal');
      }
    }
    return new JsonSyntaxError('unexpected end of JSON input');
  }

  #unexpected(where: string): JsonSyntaxError {
    const character = this.#text[this.#position];
    if (character === undefined) return new JsonSyntaxError('unexpected end of JSON input');
    return new JsonSyntaxError(`invalid character ${quoteCharacter(character)} ${where}`);
  }
}

function quoteCharacter(character: string): string {
  if (character === "'") return `'\\''`;
  if (character === '"') return `'"'`;
  const byName = namedControls.get(character);
  if (byName !== undefined) return `'${byName}'`;
  const code = character.charCodeAt(0);
  if (code < 0x20 || code === 0x7f) return `'\\x${code.toString(16).padStart(2, '0')}'`;
  return `'${JSON.stringify(character).slice(1, -1)}'`;
}

/** As Go writes them. */
const namedControls: ReadonlyMap<string, string> = new Map([
  ...([
    ['\u0007', '\\a'],
    ['\b', '\\b'],
    ['\f', '\\f'],
    ['\n', '\\n'],
    ['\r', '\\r'],
    ['\t', '\\t'],
    ['\v', '\\v'],
  ] as const),
]);
