/** Functions of texts: the language's, and those of cel-go's extension in version 2. */
import { trimmedOf } from '../../values/trimmed.ts';
import { declare, method, type Overload } from '../functions.ts';
import { bool, dyn, int, listOf, string } from '../types.ts';
import { ArrayList } from '../values/collections.ts';
import { patternOf } from '../values/patterns.ts';
import { CelError, type CelList, runeCount, type Value } from '../values/value.ts';
import { formatText } from './format-text.ts';

const isPlain = (text: string) => !/[\ud800-\udfff]/.test(text);
/** Texts are cut by code points. */
const pointsOf = (text: string): readonly string[] | string => (isPlain(text) ? text : [...text]);
const joined = (points: readonly string[] | string, from: number, to?: number): string => {
  const cut = points.slice(from, to);
  return typeof cut === 'string' ? cut : cut.join('');
};

function matches(text: string, pattern: string): Value {
  try {
    return patternOf(pattern).matches(text);
  } catch (error) {
    return new CelError(error instanceof Error ? error.message : String(error));
  }
}

function charAt(text: string, index: bigint): Value {
  const points = pointsOf(text);
  if (index < 0n || index > BigInt(points.length)) return new CelError(`index out of range: ${index}`);
  return joined(points, Number(index), Number(index) + 1);
}

function substring(text: string, start: bigint, end?: bigint): Value {
  const points = pointsOf(text);
  const size = BigInt(points.length);
  if (end === undefined) {
    if (start < 0n || start > size) return new CelError(`index out of range: ${start}`);
    return joined(points, Number(start));
  }
  if (start > end) return new CelError(`invalid substring range. start: ${start}, end: ${end}`);
  if (start < 0n || start > size) return new CelError(`index out of range: ${start}`);
  if (end < 0n || end > size) return new CelError(`index out of range: ${end}`);
  return joined(points, Number(start), Number(end));
}

/** Counted in code points. */
function placeOf(text: string, found: number): bigint {
  return found < 0 ? -1n : BigInt(runeCount(text.slice(0, found)));
}

function unitsBefore(text: string, points: number): number {
  return isPlain(text) ? points : [...text].slice(0, points).join('').length;
}

function indexOf(text: string, part: string, offset = 0n): Value {
  if (part === '') return offset;
  if (offset < 0n || offset > BigInt(runeCount(text))) return new CelError(`index out of range: ${offset}`);
  return placeOf(text, text.indexOf(part, unitsBefore(text, Number(offset))));
}

function lastIndexOf(text: string, part: string, offset?: bigint): Value {
  const size = BigInt(runeCount(text));
  if (part === '') return offset ?? size;
  if (offset === undefined)
    return size < BigInt(runeCount(part)) ? -1n : placeOf(text, text.lastIndexOf(part));
  if (offset < 0n || offset > size) return new CelError(`index out of range: ${offset}`);
  return placeOf(text, text.lastIndexOf(part, unitsBefore(text, Number(offset))));
}

/** An empty part stands between all code points. */
function replace(text: string, part: string, by: string, most = -1n): Value {
  let left = most < 0n ? Number.POSITIVE_INFINITY : Number(most);
  if (part === '') {
    const points = [...text];
    let out = '';
    for (let index = 0; index <= points.length; index += 1) {
      if (left > 0) out += by;
      left -= 1;
      out += points[index] ?? '';
    }
    return out;
  }
  const out: string[] = [];
  let at = 0;
  for (let found = text.indexOf(part); found >= 0 && left > 0; found = text.indexOf(part, at)) {
    out.push(text.slice(at, found), by);
    at = found + part.length;
    left -= 1;
  }
  return [...out, text.slice(at)].join('');
}

function split(text: string, separator: string, most = -1n): Value {
  if (most === 0n) return new ArrayList([]);
  if (most === 1n) return new ArrayList([text]);
  const parts = separator === '' ? [...text] : text.split(separator);
  if (most < 0n || BigInt(parts.length) <= most) return new ArrayList(parts);
  const kept = parts.slice(0, Number(most) - 1);
  return new ArrayList([...kept, parts.slice(Number(most) - 1).join(separator)]);
}

function join(list: CelList, separator = ''): Value {
  const parts = [...list];
  if (!parts.every((part) => typeof part === 'string')) return new CelError('no such overload');
  return parts.join(separator);
}

/** What Go takes for white space. */
const spaces: ReadonlySet<string> = new Set(
  '\t\n\v\f\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000',
);
const escapes: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ '\x07': '\\a', '\b': '\\b', '\f': '\\f', '\n': '\\n', '\r': '\\r', '\t': '\\t', '\v': '\\v' },
    ...{ '\\': '\\\\', '"': '\\"' },
  }),
);

/** As a literal that prints. */
export function quoted(text: string): string {
  return `"${text.replace(/\W/g, (character) => escapes.get(character) ?? character)}"`;
}

export const stringLibrary: readonly Overload[] = [
  method('contains', 'contains_string', [string, string], bool, (text: string, part: string) =>
    text.includes(part),
  ),
  method('startsWith', 'starts_with_string', [string, string], bool, (text: string, part: string) =>
    text.startsWith(part),
  ),
  method('endsWith', 'ends_with_string', [string, string], bool, (text: string, part: string) =>
    text.endsWith(part),
  ),
  method('matches', 'matches_string', [string, string], bool, matches),
  declare('matches', 'matches', [string, string], bool, matches),
  method('charAt', 'string_char_at_int', [string, int], string, charAt),
  method('indexOf', 'string_index_of_string', [string, string], int, indexOf),
  method('indexOf', 'string_index_of_string_int', [string, string, int], int, indexOf),
  method('lastIndexOf', 'string_last_index_of_string', [string, string], int, lastIndexOf),
  method('lastIndexOf', 'string_last_index_of_string_int', [string, string, int], int, lastIndexOf),
  method('lowerAscii', 'string_lower_ascii', [string], string, (text: string) =>
    text.replace(/[A-Z]+/g, (part) => part.toLowerCase()),
  ),
  method('upperAscii', 'string_upper_ascii', [string], string, (text: string) =>
    text.replace(/[a-z]+/g, (part) => part.toUpperCase()),
  ),
  method('replace', 'string_replace_string_string', [string, string, string], string, replace),
  method('replace', 'string_replace_string_string_int', [string, string, string, int], string, replace),
  method('split', 'string_split_string', [string, string], listOf(string), split),
  method('split', 'string_split_string_int', [string, string, int], listOf(string), split),
  method('substring', 'string_substring_int', [string, int], string, substring),
  method('substring', 'string_substring_int_int', [string, int, int], string, substring),
  method('trim', 'string_trim', [string], string, (text: string) => trimmedOf(text, spaces)),
  method('join', 'list_join', [listOf(string)], string, join),
  method('join', 'list_join_string', [listOf(string), string], string, join),
  method('format', 'string_format', [string, listOf(dyn)], string, formatText),
  declare('strings.quote', 'strings_quote', [string], string, quoted),
];
