/**
 * kubectl's JSONPath templates, as client-go reads them (util/jsonpath): text, and actions in braces, whose nodes follow one another,
 * each with what the one before it found.
 */
import { unquote } from '../go-template/parse/literals.ts';
import { goString, textOf } from '../go-values/go-value.ts';
import { JsonPathError } from './jsonpath-error.ts';
import { Scanner } from './scanner.ts';

/** One node of an action. */
export type PathNode =
  | { kind: 'text'; text: string }
  | { kind: 'field'; name: string }
  | { kind: 'value'; value: number | boolean }
  | { kind: 'wildcard' }
  | { kind: 'descent' }
  /** Items of a list; `to` undefined for its end. */
  | { kind: 'slice'; from: number; to: number | undefined; by: number | undefined; isOne: boolean }
  /** `operator` is `exists` where nothing is compared. */
  | { kind: 'filter'; left: Action; operator: string; right: Action }
  | { kind: 'union'; actions: Action[] }
  /** `range`, `end`, or a word that means nothing. */
  | { kind: 'word'; word: string };

/** What stands between braces, or a text alone. */
export type Action = readonly PathNode[];

/** A template that was read. */
export type Template = readonly Action[];

/** Reads a template. Throws {@link JsonPathError} in client-go's words. */
export function parseTemplate(text: string): Template {
  const scanner = new Scanner(text);
  const actions: Action[] = [];
  while (!scanner.isAtEnd) {
    const plain = scanner.take(/[^{]+/y);
    actions.push(plain === undefined ? readAction(scanner) : [{ kind: 'text', text: plain }]);
  }
  return actions;
}

const parseAction = (text: string): Action => parseTemplate(`{${text}}`)[0]!;

/** Up to the brace at its end, which goes too. */
function readAction(scanner: Scanner): Action {
  scanner.takeText('{');
  const nodes: PathNode[] = [];
  while (!scanner.takeText('}')) nodes.push(...readNodes(scanner, nodes.at(-1)));
  return nodes;
}

function readNodes(scanner: Scanner, last: PathNode | undefined): Action {
  if (scanner.takeText('[?(')) return [readFilter(scanner)];
  if (scanner.takeText('..')) {
    if (last?.kind === 'descent') throw new JsonPathError('invalid multiple recursive descent');
    const hasName = scanner.sees(/[_\p{L}\p{Nd}]/uy);
    return [{ kind: 'descent' }, ...(hasName ? [readField(scanner)] : [])];
  }
  if (scanner.take(/[ @$]/y) !== undefined) return [];
  if (scanner.takeText('[')) return readBrackets(scanner);
  if (scanner.sees(/["']/y)) return [readQuoted(scanner)];
  if (scanner.takeText('.')) return [readField(scanner)];
  const number = scanner.take(/[+-][.\p{Nd}]*|\p{Nd}[.\p{Nd}]*/uy);
  if (number !== undefined) return [{ kind: 'value', value: numberOf(number) }];
  if (scanner.sees(/[_\p{L}]/uy)) return [readWord(scanner)];
  const sign = scanner.take(/[^\r\n]/uy);
  throw new JsonPathError(
    sign === undefined ? 'unclosed action' : `unrecognized character in action: ${runeText(sign)}`,
  );
}

const runeText = (sign: string): string =>
  `U+${sign.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')} '${sign}'`;

function numberOf(text: string): number {
  if (!/^[+-]?(?:\d+\.?\d*|\.\d+)$/.test(text)) throw new JsonPathError(`cannot parse number ${text}`);
  return Number(text);
}

function readWord(scanner: Scanner): PathNode {
  const word = scanner.take(/[^ \t\r\n.,[\]$@{}]+/y)!;
  return word === 'true' || word === 'false'
    ? { kind: 'value', value: word === 'true' }
    : { kind: 'word', word };
}

function readField(scanner: Scanner): PathNode {
  const name = scanner.take(/(?:\\[\s\S]?|[^ \t\r\n.,[\]$@{}\\])+/uy) ?? '';
  return name === '*' ? { kind: 'wildcard' } : { kind: 'field', name: name.replaceAll('\\', '') };
}

function readBrackets(scanner: Scanner): Action {
  const inside = scanner.take(/[^\]\n]*(?=\])/y);
  if (inside === undefined) throw new JsonPathError('unterminated array');
  scanner.takeText(']');
  const parts = inside.split(',');
  if (parts.length > 1) {
    const actions = parts.map((part) => parseAction(`[${part.replace(/^ +| +$/g, '')}]`));
    return [{ kind: 'union', actions }];
  }
  const [, path] = /^'([^']*)'$/.exec(inside) ?? [];
  return path === undefined ? [sliceOf(inside === '*' ? ':' : inside)] : parseAction(`.${path}`);
}

function sliceOf(text: string): PathNode {
  const [found, from = '', to, by] = /^(-?\d*)(:-?\d*)?(:-?\d*)?$/.exec(text) ?? [];
  if (found === undefined) throw new JsonPathError(`invalid array index ${text}`);
  const first = indexOf(from) ?? 0;
  if (to === undefined) return { kind: 'slice', from: first, to: first + 1, by: undefined, isOne: true };
  return {
    kind: 'slice',
    from: first,
    to: indexOf(to.slice(1)),
    by: indexOf(by?.slice(1) ?? ''),
    isOne: false,
  };
}

function indexOf(text: string): number | undefined {
  if (text === '-') throw new JsonPathError('array index - is not a number');
  return text === '' ? undefined : Number(text);
}

/** A bracket in quotes does not end it. */
function readFilter(scanner: Scanner): PathNode {
  const inside = scanner.take(/[^"'\n)]*(?:(["'])(?:(?!(?<!\\)\1)[^\n])*(?<!\\)\1[^\n)]*)?(?=\))/y);
  if (inside === undefined) throw new JsonPathError('unterminated filter');
  scanner.takeText(')');
  if (!scanner.takeText(']')) throw new JsonPathError('unclosed array expect ]');
  const [, left = inside, operator = 'exists', right = ''] = /^([^!<>=]+)([!<>=]+)(.+)$/s.exec(inside) ?? [];
  return { kind: 'filter', left: parseAction(left), operator, right: parseAction(right) };
}

function readQuoted(scanner: Scanner): PathNode {
  const quoted = scanner.take(/(["'])(?:(?!(?<!\\)\1)[^\n])*(?<!\\)\1/y);
  if (quoted === undefined) throw new JsonPathError('unterminated quoted string');
  try {
    return { kind: 'text', text: textOf(unquote(goString(quoted))) };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new JsonPathError(`unquote string ${quoted} error ${error.message}`, { cause: error });
  }
}
