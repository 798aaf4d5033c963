/** JSONPath as columns of tables use it (upstream: client-go/util/jsonpath): where its steps lead. */
import { isJsonObject, isNumber, type JsonValue, ownValue } from '../json/json-value.ts';
import { pathValuesMax } from '../limits.ts';

/** From values to values. */
export type PathStep =
  | { kind: 'field'; name: string }
  | { kind: 'all' }
  /** Whatever has something below it, itself first. */
  | { kind: 'below' }
  | Slice
  | { kind: 'union'; paths: readonly (readonly PathStep[])[] }
  | { kind: 'literal'; value: JsonValue }
  | Filter
  | { kind: 'nowhere' };

interface Slice {
  kind: 'slice';
  start: number | undefined;
  end: number | undefined;
  step: number | undefined;
  /** An index, and no range. */
  isOne: boolean;
}

interface Filter {
  kind: 'filter';
  left: readonly PathStep[];
  right: readonly PathStep[];
  /** Undefined: what `left` finds something in. */
  operator: string | undefined;
}

/** A step can't be taken: the whole path leads nowhere. */
class NoWay extends Error {}

/** The values that the steps lead to from that one; none where one of them can't be taken. */
export function valuesAt(value: JsonValue, steps: readonly PathStep[]): JsonValue[] {
  try {
    return follow([value], steps);
  } catch (error) {
    if (error instanceof NoWay) return [];
    throw error;
  }
}

function follow(values: JsonValue[], steps: readonly PathStep[]): JsonValue[] {
  return steps.reduce((found, step) => {
    const next =
      step.kind === 'union'
        ? step.paths.flatMap((path) => follow(found, path))
        : found.flatMap((value) => stepInto(value, step));
    if (next.length > pathValuesMax) throw new NoWay();
    return next;
  }, values);
}

function stepInto(value: JsonValue, step: Exclude<PathStep, { kind: 'union' }>): JsonValue[] {
  switch (step.kind) {
    case 'literal':
      return [step.value];
    case 'nowhere':
      throw new NoWay();
    case 'all':
      return partsOf(value);
    case 'below':
      return below(value, []);
    case 'field': {
      const found = isJsonObject(value) ? ownValue(value, step.name) : undefined;
      return found === undefined ? [] : [found];
    }
    case 'slice':
      return value === null ? [] : sliceOf(listOf(value), step);
    case 'filter':
      return listOf(value).filter((part) => isChosen(part, step));
  }
}

function partsOf(value: JsonValue): JsonValue[] {
  return Array.isArray(value) ? value : isJsonObject(value) ? Object.values(value) : [];
}

function below(value: JsonValue, found: JsonValue[]): JsonValue[] {
  const parts = partsOf(value);
  if (parts.length === 0) return found;
  if (found.push(value) > pathValuesMax) throw new NoWay();
  for (const part of parts) below(part, found);
  return found;
}

function listOf(value: JsonValue): JsonValue[] {
  if (!Array.isArray(value)) throw new NoWay();
  return value;
}

function sliceOf(list: JsonValue[], { start = 0, end, step = 1, isOne }: Slice): JsonValue[] {
  const { length } = list;
  const from = start < 0 ? start + length : start;
  const ending = isOne ? from + 1 : (end ?? length);
  const to = ending < 0 ? ending + length : ending;
  if (to === from) return [];
  if (from < 0 || from >= length || to < from || to > length || step <= 0) throw new NoWay();
  return list.slice(from, to).filter((_, index) => index % step === 0);
}

function isChosen(part: JsonValue, { left, right, operator }: Filter): boolean {
  if (operator === undefined) return valuesAt(part, left).length > 0;
  const [found, ...others] = follow([part], left);
  const [wanted] = follow([part], right);
  if (found === undefined || wanted === undefined) return false;
  if (others.length > 0 || kindOf(found) !== kindOf(wanted)) throw new NoWay();
  return compared(found as string, operator, wanted as string);
}

/** What can be compared with what. */
function kindOf(value: JsonValue): string {
  const kind = isNumber(value) ? 'number' : typeof value;
  if (kind === 'object') throw new NoWay();
  return kind;
}

function compared(left: string, operator: string, right: string): boolean {
  switch (operator) {
    case '==':
      return left === right;
    case '!=':
      return left !== right;
    case '<':
      return left < right;
    case '<=':
      return left <= right;
    case '>':
      return left > right;
    case '>=':
      return left >= right;
    default:
      throw new NoWay();
  }
}
