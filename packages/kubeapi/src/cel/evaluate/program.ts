/** Expressions as functions: made once, run as often as there are values for their variables. */
import type { CheckedExpression } from '../check/checked-expression.ts';
import { callCost } from '../cost/actual.ts';
import { authorizerCheckCost, listCost, mapCost, structCost } from '../cost/factors.ts';
import { CostMeter } from '../cost/meter.ts';
import type { Overload } from '../functions.ts';
import type { Call, Comprehension, Expression } from '../syntax/ast.ts';
import { ArrayList, EntryMap, GrowingList } from '../values/collections.ts';
import { ConstructedObject } from '../values/constructed.ts';
import {
  CelError,
  CelList,
  CelMap,
  fitsType,
  isError,
  Optional,
  TypeValue,
  typeNameOf,
  type Value,
} from '../values/value.ts';
import { indexed, isPresent, optionally, selected } from './access.ts';

/** The values of variables. */
export type Activation = (name: string) => Value | undefined;

/** One run. */
interface Frame {
  activation: Activation;
  /** Of variables of macros, by their places. */
  locals: Value[];
  meter: CostMeter;
}

type Step = (frame: Frame) => Value;

/** What a run has come to. */
export interface Outcome {
  value: Value;
  cost: number;
}

/** An expression that can be run. Throws CostLimitError when a run costs more than `costMax`. */
export interface Program {
  evaluate(activation: Activation, costMax: number): Outcome;
}

export function programOf(checked: CheckedExpression): Program {
  const step = new Planner(checked).plan(checked.root);
  return {
    evaluate(activation, costMax) {
      const meter = new CostMeter(costMax);
      const value = step({ activation, locals: [], meter });
      return { value, cost: meter.spent };
    },
  };
}

/** A variable that is given. */
function global(name: string): Step {
  return ({ activation, meter }) => {
    meter.charge(1);
    const value = activation(name);
    return value === undefined ? new CelError(`no such attribute(s): ${name}`) : value;
  };
}

class Planner {
  readonly #checked: CheckedExpression;
  readonly #scopes: { name: string; place: number }[] = [];
  #places = 0;

  constructor(checked: CheckedExpression) {
    this.#checked = checked;
  }

  plan(part: Expression): Step {
    const named = this.#checked.typeNames.get(part.id);
    if (named) return () => named;
    const variable = this.#checked.variableNames.get(part.id);
    if (variable !== undefined) return global(variable);
    switch (part.kind) {
      case 'literal': {
        const { value } = part;
        return () => value;
      }
      case 'ident':
        return this.#ident(part.name);
      case 'select':
        return this.#select(part);
      case 'call':
        return this.#call(part);
      case 'list':
        return this.#list(part);
      case 'map':
        return this.#map(part);
      case 'struct':
        return this.#struct(part);
      case 'comprehension':
        return this.#comprehension(part);
    }
  }

  #ident(name: string): Step {
    const local = this.#scopes.findLast((scope) => scope.name === name);
    if (local) {
      const { place } = local;
      return ({ locals, meter }) => {
        meter.charge(1);
        return locals[place]!;
      };
    }
    return global(name);
  }

  #select({ operand, field, isTest }: Expression & { kind: 'select' }): Step {
    const owner = this.plan(operand);
    const extra = isAttribute(operand) ? 0 : 1;
    if (isTest)
      return (frame) => {
        const found = owner(frame);
        frame.meter.charge(extra);
        return isPresent(found, field);
      };
    return (frame) => {
      const found = owner(frame);
      frame.meter.charge(1 + extra);
      return selected(found, field);
    };
  }

  #call(part: Expression & Call): Step {
    const { name, target, args } = part;
    const qualified = this.#checked.qualified.get(part.id);
    const steps = (target && qualified === undefined ? [target, ...args] : args).map((arg) => this.plan(arg));
    const [first, second, third] = steps;
    switch (name) {
      case '_&&_':
        return junction(first!, second!, false);
      case '_||_':
        return junction(first!, second!, true);
      case '_?_:_':
        return conditional(first!, unread(args[1]!, second!), unread(args[2]!, third!));
      case '@not_strictly_false':
        return (frame) => {
          const value = first!(frame);
          frame.meter.charge(1);
          return value !== false;
        };
      case '_[_]':
        return accessing(first!, second!, accessCost(args), indexed);
      case '_[?_]':
      case '_?._':
        return accessing(first!, second!, accessCost(args), optionally);
      case 'type':
        return (frame) => {
          const value = first!(frame);
          frame.meter.charge(1);
          return isError(value) ? value : new TypeValue(typeNameOf(value));
        };
      case 'or':
      case 'orValue':
        if (target && this.#checked.overloads.get(part.id)?.some(({ id }) => id.startsWith('optional_or')))
          return fallback(first!, second!, name === 'or');
        break;
    }
    const overloads = this.#checked.overloads.get(part.id) ?? [];
    return this.#folded(part, calling(qualified ?? name, overloads, steps));
  }

  /** Calls that come to the same whenever they are made are made once. */
  #folded({ name, target, args }: Expression & Call, step: Step): Step {
    const [arg, list] = args;
    if (name === '@in' && list && isConstantList(list)) {
      const item = this.plan(arg!);
      const free = new CostMeter(Number.POSITIVE_INFINITY);
      return (frame) => {
        const value = item(frame);
        if (isError(value)) return value;
        return step({ ...frame, meter: free });
      };
    }
    const isConversion = foldable.has(name) && !target && args.length === 1 && arg?.kind === 'literal';
    if (!isConversion) return step;
    const value = step(idle);
    return isError(value) ? step : () => value;
  }

  #list(part: Expression & { kind: 'list' }): Step {
    const steps = part.items.map((item) => this.plan(item));
    if (isConstantList(part)) {
      const list = new ArrayList(steps.map((step) => step(idle)));
      return () => list;
    }
    const { optional } = part;
    return (frame) => {
      const values: Value[] = [];
      for (const [index, step] of steps.entries()) {
        const value = step(frame);
        if (isError(value)) return value;
        if (!optional.has(index)) values.push(value);
        else if (!(value instanceof Optional)) return new CelError('no such overload');
        else if (value.value !== undefined) values.push(value.value);
      }
      frame.meter.charge(listCost);
      return new ArrayList(values);
    };
  }

  #map({ entries }: Expression & { kind: 'map' }): Step {
    const isConstant = entries.every(
      ({ key, value, isOptional }) => !isOptional && key.kind === 'literal' && value.kind === 'literal',
    );
    const steps = entries.map(({ key, value, isOptional }) => ({
      ...{ key: this.plan(key), value: this.plan(value), isOptional },
    }));
    return (frame) => {
      const map = new EntryMap();
      for (const { key, value, isOptional } of steps) {
        const [name, given] = [key(frame), value(frame)];
        if (isError(name)) return name;
        if (isError(given)) return given;
        const item = isOptional && given instanceof Optional ? given.value : given;
        if (item !== undefined && !map.add(name, item)) return new CelError('Failed with repeated key');
      }
      if (!isConstant) frame.meter.charge(mapCost);
      return map;
    };
  }

  #struct({ name, fields }: Expression & { kind: 'struct' }): Step {
    const steps = fields.map(({ name: field, value, isOptional }) => ({
      ...{ field, value: this.plan(value), isOptional },
    }));
    return (frame) => {
      const values = new Map<string, Value>();
      for (const { field, value, isOptional } of steps) {
        const given = value(frame);
        if (isError(given)) return given;
        const item = isOptional && given instanceof Optional ? given.value : given;
        if (item !== undefined) values.set(field, item);
      }
      frame.meter.charge(structCost);
      return new ConstructedObject(name, values);
    };
  }

  #comprehension(part: Expression & Comprehension): Step {
    const range = this.plan(part.range);
    const initial = this.plan(part.initial);
    const growing = part.initial.kind === 'list' && part.initial.items.length === 0;
    const depth = this.#scopes.length;
    const accumulated = this.#place(part.accumulator);
    const first = this.#place(part.variable);
    const second = part.variable2 === undefined ? undefined : this.#place(part.variable2);
    const condition = this.plan(part.condition);
    const step = this.plan(part.step);
    this.#scopes.length = depth + 1;
    const result = this.plan(part.result);
    this.#scopes.length = depth;
    return (frame) => {
      const over = range(frame);
      if (isError(over)) return over;
      const { locals } = frame;
      locals[accumulated] = growing ? new GrowingList() : initial(frame);
      for (const [key, value] of pairsOf(over, second !== undefined)) {
        if (key instanceof CelError) return key;
        locals[first] = key;
        if (second !== undefined) locals[second] = value;
        // Errors of the condition end nothing: what the result makes of them is told.
        if (condition(frame) === false) break;
        locals[accumulated] = step(frame);
      }
      const left = locals[accumulated];
      if (left instanceof GrowingList) locals[accumulated] = new ArrayList(left.values);
      return result(frame);
    };
  }

  #place(name: string): number {
    const place = this.#places;
    this.#places += 1;
    this.#scopes.push({ name, place });
    return place;
  }
}

const idle: Frame = {
  activation: () => undefined,
  locals: [],
  meter: new CostMeter(Number.POSITIVE_INFINITY),
};
const foldable = new Set(['bool', 'bytes', 'double', 'duration', 'int', 'string', 'timestamp', 'uint']);

/** What cel-go reads as one chain, at one unit for each link. */
function isAttribute(part: Expression): boolean {
  if (part.kind === 'call') return part.name === '_[_]' && isAttribute(part.args[0]!);
  return part.kind === 'ident' || (part.kind === 'select' && isAttribute(part.operand));
}

const isConstantList = (part: Expression): boolean =>
  part.kind === 'list' &&
  part.optional.size === 0 &&
  part.items.every((item) => item.kind === 'literal' || isConstantList(item));

/** A chain that a condition leads to is not charged for its first link. */
function unread(part: Expression, step: Step): Step {
  if (!isAttribute(part)) return step;
  return (frame) => {
    const value = step(frame);
    frame.meter.charge(-1);
    return value;
  };
}

/** Beside what owner and key cost; a key that is a chain itself is a link of the owner's. */
const accessCost = ([owner, key]: readonly Expression[]): number =>
  isAttribute(owner!) ? (isAttribute(key!) ? 0 : 1) : 2;

/** Of a list its items, of a map its keys; as pairs with the index or the value. */
function* pairsOf(over: Value, isPair: boolean): Iterable<readonly [Value, Value]> {
  if (over instanceof CelList) {
    for (let index = 0; index < over.size; index += 1) {
      const item = over.at(index);
      yield isPair ? [BigInt(index), item] : [item, null];
    }
  } else if (over instanceof CelMap) {
    for (const key of over.keys()) yield [key, isPair ? over.get(key)! : null];
  } else yield [new CelError(`got '${typeNameOf(over)}', expected iterable type`), null];
}

/** `&&` and `||`: one side may decide alone, whatever the other comes to. */
function junction(left: Step, right: Step, deciding: boolean): Step {
  return (frame) => {
    const one = left(frame);
    if (one === deciding) return deciding;
    const other = right(frame);
    if (other === deciding) return deciding;
    if (typeof one === 'boolean' && typeof other === 'boolean') return !deciding;
    if (isError(one)) return one;
    if (isError(other)) return other;
    return new CelError('no such overload');
  };
}

function conditional(condition: Step, yes: Step, no: Step): Step {
  return (frame) => {
    const holds = condition(frame);
    if (isError(holds)) return holds;
    if (typeof holds !== 'boolean') return new CelError('no such overload');
    return holds ? yes(frame) : no(frame);
  };
}

function accessing(owner: Step, key: Step, cost: number, access: (owner: Value, key: Value) => Value): Step {
  return (frame) => {
    const found = owner(frame);
    const name = key(frame);
    frame.meter.charge(cost);
    return access(found, name);
  };
}

function fallback(optional: Step, other: Step, isOptional: boolean): Step {
  return (frame) => {
    const found = optional(frame);
    frame.meter.charge(1);
    if (!(found instanceof Optional)) return isError(found) ? found : new CelError('no such overload');
    if (found.value === undefined) return other(frame);
    return isOptional ? found : found.value;
  };
}

/** Calls the form that fits the values. */
function calling(name: string, overloads: readonly Overload[], steps: readonly Step[]): Step {
  // As upstream: what asks about access is charged for it, though it has not come to ask.
  const failedCost = name === 'check' ? authorizerCheckCost : 1;
  return (frame) => {
    const args: Value[] = [];
    for (const step of steps) {
      const value = step(frame);
      if (isError(value)) {
        frame.meter.charge(failedCost);
        return value;
      }
      args.push(value);
    }
    const [list, more] = args;
    if (list instanceof GrowingList && more instanceof ArrayList) {
      frame.meter.charge(1);
      for (const value of more.values) list.values.push(value);
      return list;
    }
    for (const overload of overloads) {
      if (!overload.args.every((type, index) => fitsType(args[index]!, type))) continue;
      frame.meter.charge(callCost(overload, args));
      return (overload.implementation as (...args: Value[]) => Value)(...args);
    }
    frame.meter.charge(1);
    const shown = `(${args.map(typeNameOf).join(', ')})`;
    return new CelError(/^[_@!-]/.test(name) ? 'no such overload' : `no such overload: ${name}${shown}`);
  };
}
