/** JSONPath as columns of tables use it (upstream: client-go/util/jsonpath): how it is written. */
import type { JsonValue } from '../json/json-value.ts';
import { type PathStep, valuesAt } from './path-values.ts';

/** A path that was read. */
export interface JsonPath {
  /** The values that it leads to; none where a step can't be taken, such as an index beyond the end. */
  find(value: JsonValue): JsonValue[];
}

/** Undefined for a text that is no path. */
export function parseJsonPath(text: string): JsonPath | undefined {
  const steps = readSteps(text);
  return steps && { find: (value) => valuesAt(value, steps) };
}

/** What may come next, and the step that it is: none for what says nothing, undefined for what is a mistake. */
const forms: readonly (readonly [RegExp, (found: RegExpExecArray) => readonly PathStep[] | undefined])[] = [
  [/^[ @$]/, () => []],
  [/^\[\?\(((?:[^"')\n]|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')*)\)\]/, ([, text = '']) => readFilter(text)],
  [/^\[([^\]\n]*)\]/, ([, text = '']) => readBrackets(text)],
  [
    /^\.\.(?!\.\.)((?:\w(?:\\.|[^\s.,[\]$@{}\\])*)?)/,
    ([, name]) => [{ kind: 'below' }, ...(name ? [fieldOf(name)] : [])],
  ],
  [/^\.(?!\.)((?:\\.|[^\s.,[\]$@{}\\])*)/s, ([, name = '']) => [fieldOf(name)]],
  [
    /^(?:"((?:\\.|[^"\\\n])*)"|'((?:\\.|[^'\\\n])*)')/,
    ([, double, single]) => [{ kind: 'literal', value: unescaped(double ?? single ?? '') }],
  ],
  [/^[+-]?\d[\d.]*(?![^\s.,[\]$@{}])/, ([digits]) => readNumber(digits)],
  [
    /^\w[^\s.,[\]$@{}]*/,
    ([word]) => [
      word === 'true' || word === 'false' ? { kind: 'literal', value: word === 'true' } : { kind: 'nowhere' },
    ],
  ],
];

function readSteps(text: string): PathStep[] | undefined {
  const steps: PathStep[] = [];
  for (let rest = text; rest !== ''; ) {
    const found = readNext(rest);
    if (!found) return undefined;
    for (const step of found.steps) steps.push(step);
    rest = rest.slice(found.length);
  }
  return steps;
}

function readNext(text: string): { steps: readonly PathStep[]; length: number } | undefined {
  for (const [form, read] of forms) {
    const found = form.exec(text);
    if (!found) continue;
    const steps = read(found);
    return steps && { steps, length: found[0].length };
  }
  return undefined;
}

const unescaped = (text: string) => text.replace(/\\(.)/g, '$1');

const fieldOf = (name: string): PathStep =>
  name === '*' ? { kind: 'all' } : { kind: 'field', name: name.replaceAll('\\', '') };

function readNumber(digits: string): PathStep[] | undefined {
  const value = Number(digits);
  return Number.isNaN(value) ? undefined : [{ kind: 'literal', value }];
}

/** `[1]`, `[1:2]`, `['name']`, `[*]`, and several of them between commas. */
function readBrackets(text: string): readonly PathStep[] | undefined {
  const parts = text.split(',').map((part) => part.trim());
  if (parts.length === 1) return readSelection(text);
  const paths = parts.map(readSelection);
  return paths.every((path) => path !== undefined) ? [{ kind: 'union', paths }] : undefined;
}

const slice = /^(-?\d{0,9})(?::(-?\d{0,9}))?(?::(-?\d{0,9}))?$/;

function readSelection(text: string): readonly PathStep[] | undefined {
  const [, name] = /^'([^']*)'$/.exec(text) ?? [];
  // As upstream: a name with a dot is a path.
  if (name !== undefined) return readSteps(`.${name}`);
  const [, ...bounds] = slice.exec(text === '*' ? ':' : text) ?? [];
  if (bounds.length === 0 || bounds.includes('-')) return undefined;
  const [start, end, step] = bounds.map((bound) => (bound ? Number(bound) : undefined));
  return [{ kind: 'slice', start, end, step, isOne: bounds[1] === undefined }];
}

/** `@.phase == "Running"`, or a path alone: what has it. */
function readFilter(text: string): PathStep[] | undefined {
  const [, before = text, operator, after = ''] = /^([^!<>=]+)([!<>=]+)(.+)$/.exec(text) ?? [];
  const [left, right] = [readSteps(before), readSteps(after)];
  return left && right && [{ kind: 'filter', left, right, operator }];
}
