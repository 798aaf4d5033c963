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

/** The values that the steps lead to from that one; none where one of them can't be taken, or too many are on the way. */
export function valuesAt(value: JsonValue, steps: readonly PathStep[]): JsonValue[] {
  return new Walk().find(value, steps);
}

class Walk {
  #left = pathValuesMax;

  find(value: JsonValue, steps: readonly PathStep[]): JsonValue[] {
    try {
      return this.#follow([value], steps);
    } catch (error) {
      if (error instanceof NoWay) return [];
      throw error;
    }
  }

  #look(): void {
    this.#left -= 1;
    if (this.#left < 0) throw new NoWay();
  }

  #follow(values: readonly JsonValue[], steps: readonly PathStep[]): JsonValue[] {
    let found = [...values];
    for (const step of steps) {
      const next: JsonValue[] = [];
      const take = (value: JsonValue) => {
        this.#look();
        next.push(value);
      };
      if (step.kind === 'union')
        for (const path of step.paths) for (const value of this.#follow(found, path)) take(value);
      else for (const value of found) this.#step(value, step, take);
      found = next;
    }
    return found;
  }

  #step(
    value: JsonValue,
    step: Exclude<PathStep, { kind: 'union' }>,
    take: (value: JsonValue) => void,
  ): void {
    switch (step.kind) {
      case 'nowhere':
        throw new NoWay();
      case 'literal':
        take(step.value);
        break;
      case 'all':
        partsOf(value).forEach(take);
        break;
      case 'below':
        takeBelow(value, take);
        break;
      case 'field': {
        const found = isJsonObject(value) ? ownValue(value, step.name) : undefined;
        if (found !== undefined) take(found);
        break;
      }
      case 'slice':
        if (value !== null) takeSlice(listOf(value), step, take);
        break;
      case 'filter':
        for (const part of listOf(value)) if (this.#isChosen(part, step)) take(part);
    }
  }

  #isChosen(part: JsonValue, { left, right, operator }: Filter): boolean {
    this.#look();
    if (operator === undefined) return this.find(part, left).length > 0;
    const [found, ...others] = this.#follow([part], left);
    const [wanted] = this.#follow([part], right);
    if (found === undefined || wanted === undefined) return false;
    if (others.length > 0 || kindOf(found) !== kindOf(wanted)) throw new NoWay();
    return compared(found as string, operator, wanted as string);
  }
}

function partsOf(value: JsonValue): JsonValue[] {
  return Array.isArray(value) ? value : isJsonObject(value) ? Object.values(value) : [];
}

function takeBelow(value: JsonValue, take: (value: JsonValue) => void): void {
  const parts = partsOf(value);
  if (parts.length > 0) take(value);
  for (const part of parts) takeBelow(part, take);
}

function listOf(value: JsonValue): JsonValue[] {
  if (!Array.isArray(value)) throw new NoWay();
  return value;
}

function takeSlice(
  list: JsonValue[],
  { start = 0, end, step = 1, isOne }: Slice,
  take: (value: JsonValue) => void,
): void {
  const { length } = list;
  const from = start < 0 ? start + length : start;
  const ending = isOne ? from + 1 : (end ?? length);
  const to = ending < 0 ? ending + length : ending;
  if (to === from) return;
  if (from < 0 || from >= length || to < from || to > length || step <= 0) throw new NoWay();
  for (let index = from; index < to; index += step) take(list[index]!);
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
