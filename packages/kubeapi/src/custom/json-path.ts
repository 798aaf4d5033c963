/** The part of JSONPath that columns use: fields, indices, `*` and comparisons (upstream: client-go/util/jsonpath). */
import { isJsonObject, type JsonValue, ownValue } from '../json/json-value.ts';

type Step =
  | { kind: 'field'; name: string }
  | { kind: 'all' }
  | { kind: 'index'; index: number }
  | { kind: 'filter'; path: Step[]; operator: string; value: JsonValue | undefined };

/** A path that was read. */
export interface JsonPath {
  /** Every value that it leads to. */
  find(value: JsonValue): JsonValue[];
}

/** Undefined for a text that is none of the paths that are known here. */
export function parseJsonPath(text: string): JsonPath | undefined {
  const steps = readSteps(text);
  return steps && { find: (value) => follow([value], steps) };
}

const field = /^\.((?:[^.[\]\\*]|\\.)+)/;
const quoted = /^\[(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")\]/;
const index = /^\[(-?\d{1,9})\]/;
const filter =
  /^\[\?\(\s*@((?:[^\\=!<>)"'\s]|\\.)*)\s*(?:(==|!=|<=|>=|<|>)\s*("[^"]*"|'[^']*'|[^)\s]+)\s*)?\)\]/;

function readSteps(text: string): Step[] | undefined {
  const steps: Step[] = [];
  let rest = text === '.' ? '' : text;
  while (rest !== '') {
    const [step, length] = readStep(rest) ?? [];
    if (!step || !length) return undefined;
    steps.push(step);
    rest = rest.slice(length);
  }
  return steps;
}

function readStep(text: string): [Step, number] | undefined {
  const all = /^(?:\.\*|\[\*\])/.exec(text);
  if (all) return [{ kind: 'all' }, all[0].length];
  const named = field.exec(text) ?? quoted.exec(text);
  if (named) return [{ kind: 'field', name: unescaped(named[1] ?? named[2] ?? '') }, named[0].length];
  const numbered = index.exec(text);
  if (numbered) return [{ kind: 'index', index: Number(numbered[1]) }, numbered[0].length];
  const compared = filter.exec(text);
  if (!compared) return undefined;
  const [whole, path = '', operator = '', literal] = compared;
  const steps = readSteps(path);
  return steps && [{ kind: 'filter', path: steps, operator, value: literalOf(literal) }, whole.length];
}

const unescaped = (name: string) => name.replace(/\\(.)/g, '$1');

function literalOf(text: string | undefined): JsonValue | undefined {
  if (text === undefined) return undefined;
  if (/^['"]/.test(text)) return text.slice(1, -1);
  if (text === 'true' || text === 'false') return text === 'true';
  return Number.isNaN(Number(text)) ? text : Number(text);
}

function follow(values: JsonValue[], steps: readonly Step[]): JsonValue[] {
  return steps.reduce((found, step) => found.flatMap((value) => stepInto(value, step)), values);
}

function stepInto(value: JsonValue, step: Step): JsonValue[] {
  const parts = Array.isArray(value) ? value : isJsonObject(value) ? Object.values(value) : [];
  if (step.kind === 'all') return parts;
  if (step.kind === 'filter') return parts.filter((part) => isChosen(part, step));
  const found =
    step.kind === 'field'
      ? isJsonObject(value)
        ? ownValue(value, step.name)
        : undefined
      : Array.isArray(value)
        ? value.at(step.index)
        : undefined;
  return found === undefined ? [] : [found];
}

function isChosen(value: JsonValue, { path, operator, value: wanted }: Step & { kind: 'filter' }): boolean {
  const [found] = follow([value], path);
  if (found === undefined || wanted === undefined || found === null || wanted === null)
    return operator === '' && found !== undefined;
  if (operator === '==') return found === wanted;
  if (operator === '!=') return found !== wanted;
  if (typeof found !== typeof wanted) return false;
  if (operator === '<') return found < wanted;
  if (operator === '<=') return found <= wanted;
  return operator === '>' ? found > wanted : found >= wanted;
}
