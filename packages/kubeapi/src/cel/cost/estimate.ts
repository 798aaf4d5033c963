/** What an expression may cost, before it runs (cel-go: checker/cost.go). */
import type { CheckedExpression } from '../check/checked-expression.ts';
import { accumulator, type Call, type Comprehension, type Expression } from '../syntax/ast.ts';
import type { Type } from '../types.ts';
import { costSizeOf } from '../values/value.ts';
import { estimateCall, type Node } from './call-estimates.ts';
import { listCost, mapCost, structCost } from './factors.ts';
import { type CostRange, exactly, productOf, sumOf, unionOf, unknownSize } from './ranges.ts';

/** How many parts the value at a path may have: `self`, `spec`, `@items`, … Undefined: nothing is known of it. */
export type SizeOf = (path: readonly string[]) => CostRange | undefined;

export function estimateCost(checked: CheckedExpression, sizeOf: SizeOf): CostRange {
  return new Estimator(checked, sizeOf).cost(checked.root);
}

/** Sizes of the keys and values of what a list or map holds. */
interface EntrySizes {
  isList: boolean;
  key: CostRange;
  value: CostRange;
}

interface Local {
  path: readonly string[];
  size: CostRange | undefined;
  entries: EntrySizes | undefined;
}

const scalars: ReadonlySet<string> = new Set([
  'bool',
  'double',
  'duration',
  'int',
  'timestamp',
  'uint',
  'null',
]);

class Estimator {
  readonly #checked: CheckedExpression;
  readonly #sizeOf: SizeOf;
  readonly #paths = new Map<number, readonly string[]>();
  readonly #sizes = new Map<number, CostRange>();
  readonly #entries = new Map<number, EntrySizes>();
  readonly #locals: (readonly [name: string, local: Local])[] = [];

  constructor(checked: CheckedExpression, sizeOf: SizeOf) {
    this.#checked = checked;
    this.#sizeOf = sizeOf;
  }

  cost(part: Expression): CostRange {
    switch (part.kind) {
      case 'literal':
        return exactly(0);
      case 'ident':
        this.#paths.set(part.id, this.#local(part.name)?.path ?? [part.name]);
        return exactly(1);
      case 'select':
        return this.#select(part);
      case 'call':
        return this.#call(part);
      case 'list':
        return this.#list(part);
      case 'map':
        return this.#map(part);
      case 'struct':
        return sumOf(...part.fields.map(({ value }) => this.cost(value)), exactly(structCost));
      case 'comprehension':
        return isBinding(part) ? this.#binding(part) : this.#loop(part);
    }
  }

  #local(name: string): Local | undefined {
    return this.#locals.findLast(([each]) => each === name)?.[1];
  }

  #typeOf(part: Expression): Type | undefined {
    return this.#checked.types.get(part.id);
  }

  #pathOf(part: Expression): readonly string[] {
    const local = part.kind === 'ident' ? this.#local(part.name) : undefined;
    return local?.path ?? this.#paths.get(part.id) ?? [];
  }

  #select(part: Expression & { kind: 'select' }): CostRange {
    const { operand, field, isTest } = part;
    if (this.#checked.typeNames.has(part.id)) return exactly(1);
    const cost = this.cost(operand);
    if (isTest) return cost;
    this.#paths.set(part.id, [...this.#pathOf(operand), field]);
    const kind = this.#typeOf(operand)?.kind;
    return kind === 'map' || kind === 'object' || kind === 'param' ? sumOf(cost, exactly(1)) : cost;
  }

  #call(part: Expression & Call): CostRange {
    const { name, target, args } = part;
    if (name === 'dyn' && !target) {
      const [arg] = args;
      const cost = this.cost(arg!);
      this.#copy(part, arg!);
      return sumOf(exactly(1), cost);
    }
    const costs = args.map((arg) => this.cost(arg));
    const qualified = this.#checked.qualified.get(part.id);
    const owner = target && qualified === undefined ? target : undefined;
    const ownCost = owner ? this.cost(owner) : exactly(0);
    let total: CostRange | undefined;
    let size: CostRange | undefined;
    for (const { id } of this.#checked.overloads.get(part.id) ?? []) {
      const found = this.#overload(part, id, qualified ?? name, owner, costs);
      total = total ? unionOf(total, found.cost) : found.cost;
      if (found.size) size = size ? unionOf(size, found.size) : found.size;
      if (id === 'index_list' || id === 'index_map') {
        size = this.#entriesOf(args[0]!)?.value;
        this.#paths.set(part.id, [...this.#pathOf(args[0]!), id === 'index_list' ? '@items' : '@values']);
      }
      size ??= this.#size(part);
    }
    if (size) this.#sizes.set(part.id, size);
    return sumOf(ownCost, total ?? exactly(0));
  }

  #overload(
    part: Expression & Call,
    id: string,
    name: string,
    owner: Expression | undefined,
    costs: readonly CostRange[],
  ): { cost: CostRange; size?: CostRange | undefined } {
    const { args } = part;
    const all = sumOf(...costs);
    if (id === 'logical_and' || id === 'logical_or')
      return { cost: { min: costs[0]!.min, max: sumOf(costs[0]!, costs[1]!).max } };
    if (id === 'conditional') {
      const entries = unionOfEntries(this.#entriesOf(args[1]!), this.#entriesOf(args[2]!));
      if (entries) this.#entries.set(part.id, entries);
      return {
        cost: sumOf(costs[0]!, unionOf(costs[1]!, costs[2]!)),
        size: unionOf(this.#sizeOrUnknown(args[1]!), this.#sizeOrUnknown(args[2]!)),
      };
    }
    if (/^add_(?:string|bytes|list)$/.test(id)) {
      const entries = unionOfEntries(this.#entriesOf(args[0]!), this.#entriesOf(args[1]!));
      if (entries) this.#entries.set(part.id, entries);
    }
    const { cost, size } = estimateCall(
      name,
      id,
      owner && this.#node(owner),
      args.map((arg) => this.#node(arg)),
    );
    return { cost: sumOf(cost, all), size };
  }

  /** What estimates of calls may look at. */
  #node(part: Expression): Node {
    const path = this.#pathOf(part);
    const known = path[0] === accumulator ? [] : path;
    const type = this.#typeOf(part);
    const [item] = type?.params ?? [];
    const itemSize = known.length > 0 ? this.#sizeOf([...known, '@items']) : undefined;
    return {
      type,
      size: this.#size(part),
      literal: part.kind === 'literal' ? part.value : undefined,
      item: item && { type: item, size: itemSize, literal: undefined, item: undefined },
    };
  }

  #list(part: Expression & { kind: 'list' }): CostRange {
    const costs = part.items.map((item) => this.cost(item));
    const value = part.items.reduce<CostRange>(
      (size, item) => unionOf(size, this.#sizeOrUnknown(item)),
      part.items.length === 0 ? exactly(0) : { min: Number.POSITIVE_INFINITY, max: 0 },
    );
    this.#entries.set(part.id, { isList: true, key: exactly(1), value });
    return sumOf(...costs, exactly(listCost));
  }

  #map(part: Expression & { kind: 'map' }): CostRange {
    const costs = part.entries.flatMap(({ key, value }) => [this.cost(key), this.cost(value)]);
    const join = (pick: 'key' | 'value') =>
      part.entries.reduce<CostRange>(
        (size, entry) => unionOf(size, this.#sizeOrUnknown(entry[pick])),
        part.entries.length === 0 ? exactly(0) : { min: Number.POSITIVE_INFINITY, max: 0 },
      );
    this.#entries.set(part.id, { isList: false, key: join('key'), value: join('value') });
    return sumOf(...costs, exactly(mapCost));
  }

  #binding(part: Expression & Comprehension): CostRange {
    const costs = [this.cost(part.range), this.cost(part.initial)];
    this.#push(part.accumulator, this.#bound(part.initial));
    costs.push(this.cost(part.result));
    this.#locals.pop();
    this.#copy(part, part.result);
    return sumOf(...costs);
  }

  #bound(part: Expression): Local {
    return { path: this.#pathOf(part), size: this.#size(part), entries: this.#entriesOf(part) };
  }

  #push(name: string, local: Local): void {
    this.#locals.push([name, local]);
  }

  #loop(part: Expression & Comprehension): CostRange {
    const { range, initial, variable2 } = part;
    const before = [this.cost(range), this.cost(initial)];
    this.#push(part.accumulator, this.#bound(initial));
    const entries = this.#entriesOf(range);
    const isList = entries ? entries.isList : this.#typeOf(range)?.kind === 'list';
    const path = this.#pathOf(range);
    const isKey = variable2 !== undefined || !isList;
    const keyName = isList ? '@indices' : '@keys';
    const valueName = isList ? '@items' : '@values';
    this.#push(part.variable, {
      ...{ path: [...path, isKey ? keyName : valueName], entries: undefined },
      size: isKey ? entries?.key : entries?.value,
    });
    if (variable2 !== undefined)
      this.#push(variable2, { path: [...path, valueName], size: entries?.value, entries: undefined });
    const each = sumOf(this.cost(part.condition), this.cost(part.step));
    this.#locals.length -= variable2 === undefined ? 1 : 2;
    const result = this.cost(part.result);
    this.#locals.pop();
    const count = this.#sizeOrUnknown(range);
    if (initial.kind === 'literal') {
      const size = this.#size(initial);
      if (size) this.#sizes.set(part.id, size);
    } else if (initial.kind === 'list' || initial.kind === 'map') {
      this.#sizes.set(part.id, count);
      const made = this.#entriesOf(part.step);
      if (made) this.#entries.set(part.id, made);
    }
    return sumOf(...before, result, productOf(count, each));
  }

  #copy(to: Expression, from: Expression): void {
    const size = this.#size(from);
    if (size) this.#sizes.set(to.id, size);
    const entries = this.#entriesOf(from);
    if (entries) this.#entries.set(to.id, entries);
  }

  #entriesOf(part: Expression): EntrySizes | undefined {
    return (
      this.#entries.get(part.id) ?? (part.kind === 'ident' ? this.#local(part.name)?.entries : undefined)
    );
  }

  #sizeOrUnknown(part: Expression): CostRange {
    return this.#size(part) ?? unknownSize;
  }

  #size(part: Expression): CostRange | undefined {
    const known = this.#sizes.get(part.id);
    if (known) return known;
    if (part.kind === 'literal') return exactly(costSizeOf(part.value));
    if (part.kind === 'list') return exactly(part.items.length);
    if (part.kind === 'map') return exactly(part.entries.length);
    const path = this.#pathOf(part);
    const told = path.length > 0 ? this.#sizeOf(path) : undefined;
    if (told) {
      this.#sizes.set(part.id, told);
      return told;
    }
    if (scalars.has(this.#typeOf(part)?.kind ?? '')) return exactly(1);
    return part.kind === 'ident' ? this.#local(part.name)?.size : undefined;
  }
}

/** `optMap`: a loop over nothing. */
const isBinding = ({ range, condition, accumulator: name }: Comprehension): boolean =>
  range.kind === 'list' &&
  range.items.length === 0 &&
  condition.kind === 'literal' &&
  condition.value === false &&
  name !== accumulator;

function unionOfEntries(left: EntrySizes | undefined, right: EntrySizes | undefined): EntrySizes | undefined {
  if (!left || !right) return undefined;
  return { isList: left.isList, key: unionOf(left.key, right.key), value: unionOf(left.value, right.value) };
}
