/** Finds the type of every part of an expression, and which form of each function is called. */

import type { Functions, Overload } from '../functions.ts';
import {
  accumulator,
  type Call,
  CompileError,
  type Comprehension,
  type Expression,
  type Issue,
} from '../syntax/ast.ts';
import {
  bool,
  bytes,
  double,
  duration,
  dyn,
  errorType,
  int,
  isDyn,
  listOf,
  mapOf,
  nullType,
  objectNamed,
  optionalOf,
  param,
  Substitutions,
  showType,
  string,
  type Type,
  timestamp,
  typeOf,
  uint,
} from '../types.ts';
import { TypeValue, typeNameOf, type Value } from '../values/value.ts';
import type { CheckedExpression } from './checked-expression.ts';
import { literalIssues } from './literal-rules.ts';

/** What names mean. */
export interface Declarations {
  variables: ReadonlyMap<string, Type>;
  functions: Functions;
  /** The type of a field of an object type; undefined where it has no such field. */
  fieldType(objectName: string, field: string): Type | undefined;
  /** Whether expressions may make objects of that name. */
  isStruct(name: string): boolean;
}

/** Throws CompileError with all that does not fit. */
export function checkExpression(
  text: string,
  root: Expression,
  declarations: Declarations,
): CheckedExpression {
  const checker = new Checker(declarations);
  checker.check(root);
  const result = checker.finish(text, root);
  const issues = [...checker.issues, ...(checker.issues.length === 0 ? literalIssues(result) : [])];
  if (issues.length > 0) throw new CompileError(text, issues);
  return result;
}

const typeConstants: ReadonlyMap<string, Type> = new Map<string, Type>([
  ...([bool, int, uint, double, string, bytes] as const).map((type) => [type.name, type] as const),
  ['null_type', nullType],
  ['list', listOf(dyn)],
  ['map', mapOf(dyn, dyn)],
  ['google.protobuf.Timestamp', timestamp],
  ['google.protobuf.Duration', duration],
  ['type', typeOf(dyn)],
  ['optional_type', optionalOf(dyn)],
  ...[
    'kubernetes.Quantity',
    'kubernetes.URL',
    'kubernetes.Semver',
    'net.IP',
    'net.CIDR',
    'kubernetes.NamedFormat',
  ].map((name) => [name, objectNamed(name)] as const),
]);

class Checker {
  readonly issues: Issue[] = [];
  readonly #declarations: Declarations;
  readonly #types = new Map<number, Type>();
  readonly #overloads = new Map<number, readonly Overload[]>();
  readonly #qualified = new Map<number, string>();
  readonly #variableNames = new Map<number, string>();
  readonly #typeNames = new Map<number, TypeValue>();
  readonly #references = new Set<string>();
  readonly #locals: Map<string, Type>[] = [];
  readonly #found = new Substitutions();
  /** Lists that may hold values of all types. */
  readonly #mixed = new Set<number>();

  constructor(declarations: Declarations) {
    this.#declarations = declarations;
  }

  finish(text: string, root: Expression): CheckedExpression {
    const types = new Map([...this.#types].map(([id, type]) => [id, this.#found.apply(type, true)]));
    return {
      ...{ text, root, types, overloads: this.#overloads, qualified: this.#qualified },
      ...{ type: types.get(root.id)!, typeNames: this.#typeNames, references: this.#references },
      variableNames: this.#variableNames,
    };
  }

  check(part: Expression): Type {
    const type = this.#typeOf(part);
    this.#types.set(part.id, type);
    return type;
  }

  #typeOf(part: Expression): Type {
    switch (part.kind) {
      case 'literal':
        return literalType(part.value);
      case 'ident':
        return this.#ident(part.id, part.at, part.name);
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

  #struct({ at, name, fields }: Expression & { kind: 'struct' }): Type {
    const isKnown = this.#declarations.isStruct(name);
    for (const { at: place, name: field, value, isOptional } of fields) {
      const type = this.#unwrapped(value, this.check(value), isOptional);
      if (!isKnown) continue;
      const wanted = this.#declarations.fieldType(name, field);
      if (!wanted) this.#complain(place, `undefined field '${field}'`);
      else if (!this.#found.assign(wanted, type)) {
        const [expected, found] = [wanted, type].map((each) => showType(this.#found.apply(each, true)));
        const mismatch = `expected type of field '${field}' is '${expected}' but provided type is '${found}'`;
        this.#complain(place, mismatch);
      }
    }
    return isKnown
      ? objectNamed(name)
      : this.#complain(at, `undeclared reference to '${name}' (in container '')`);
  }

  #complain(at: number, message: string): Type {
    this.issues.push({ at, message });
    return errorType;
  }

  #lookUp(name: string): Type | undefined {
    for (let level = this.#locals.length - 1; level >= 0; level -= 1) {
      const found = this.#locals[level]!.get(name);
      if (found) return found;
    }
    const variable = this.#declarations.variables.get(name);
    if (variable) this.#references.add(name);
    return variable;
  }

  #ident(id: number, at: number, name: string): Type {
    const found = this.#lookUp(name) ?? this.#typeNamed(id, name);
    return found ?? this.#complain(at, `undeclared reference to '${name}' (in container '')`);
  }

  #typeNamed(id: number, name: string): Type | undefined {
    const type = typeConstants.get(name);
    if (!type) return undefined;
    this.#typeNames.set(id, new TypeValue(name));
    return typeOf(type);
  }

  #select(part: Expression & { kind: 'select' }): Type {
    const variable = this.#qualifiedVariable(part);
    if (variable) return variable;
    const name = part.isTest ? undefined : this.#freeName(part);
    const named = name === undefined ? undefined : this.#typeNamed(part.id, name);
    if (named) return named;
    const type = this.#field(part.at, this.check(part.operand), part.field, part.isTest);
    return part.isTest ? bool : type;
  }

  /** `a.b` may be the name of a variable, whatever `a` is. */
  #qualifiedVariable({ id, operand, field, isTest }: Expression & { kind: 'select' }): Type | undefined {
    if (isTest || operand.kind !== 'ident') return undefined;
    const name = `${operand.name}.${field}`;
    const type = this.#declarations.variables.get(name);
    if (!type) return undefined;
    this.#references.add(name);
    this.#variableNames.set(id, name);
    return type;
  }

  /** `a.b.c` where `a` is no variable: it may be the name of a type or function. */
  #freeName(part: Expression): string | undefined {
    if (part.kind === 'ident') return this.#isVariable(part.name) ? undefined : part.name;
    if (part.kind !== 'select' || part.isTest) return undefined;
    const owner = this.#freeName(part.operand);
    return owner === undefined ? undefined : `${owner}.${part.field}`;
  }

  #isVariable(name: string): boolean {
    return this.#declarations.variables.has(name) || this.#locals.some((names) => names.has(name));
  }

  #field(at: number, operand: Type, field: string, _isTest: boolean): Type {
    const target = this.#found.apply(operand);
    if (target.kind === 'optional') return optionalOf(this.#field(at, target.params[0]!, field, false));
    if (target.kind === 'map') return target.params[1]!;
    if (target.kind === 'object') {
      const type = this.#declarations.fieldType(target.name, field);
      if (type) return type;
      const isOpaque = typeConstants.has(target.name) || target.name.startsWith('kubernetes.authorization.');
      const why = isOpaque
        ? `unexpected failed resolution of '${target.name}'`
        : `undefined field '${field}'`;
      return this.#complain(at, why);
    }
    if (target.kind === 'param') {
      this.#found.assign(dyn, target);
      return dyn;
    }
    if (isDyn(target)) return dyn;
    return this.#complain(at, `type '${showType(target)}' does not support field selection`);
  }

  #call(part: Expression & Call): Type {
    const { id, at, name, target, args } = part;
    if (name === '_?._') return this.#optionalField(part);
    if (name === '_&&_' || name === '_||_') return this.#junction(part);
    if (name === 'format' && args[0]?.kind === 'list') this.#mixed.add(args[0].id);
    if (target) {
      const owner = this.#freeName(target);
      const qualified = owner === undefined ? undefined : `${owner}.${name}`;
      if (qualified !== undefined && this.#declarations.functions.has(qualified)) {
        this.#qualified.set(id, qualified);
        return this.#resolve(part, qualified, args, false);
      }
      const targetType = this.check(target);
      const known = this.#declarations.functions.get(name);
      if (known) return this.#resolve(part, name, [target, ...args], true, targetType);
      for (const arg of args) this.check(arg);
      return this.#complain(at, `undeclared reference to '${name}' (in container '')`);
    }
    if (this.#declarations.functions.has(name)) return this.#resolve(part, name, args, false);
    for (const arg of args) this.check(arg);
    return this.#complain(at, `undeclared reference to '${name}' (in container '')`);
  }

  #junction({ id, name, args }: Expression & Call): Type {
    for (const arg of args) this.#demand(arg, bool);
    this.#overloads.set(id, this.#declarations.functions.get(name) ?? []);
    return bool;
  }

  #optionalField({ id, at, args: [operand, field] }: Expression & Call): Type {
    const type = this.check(operand!);
    if (field?.kind !== 'literal' || typeof field.value !== 'string')
      return this.#complain(field!.at, 'unsupported optional field selection');
    this.#types.set(field.id, string);
    this.#overloads.set(id, this.#declarations.functions.get('_?._') ?? []);
    const found = this.#found.apply(this.#field(at, type, field.value, false));
    return found.kind === 'optional' ? found : optionalOf(found);
  }

  /** `targetType`: of the first argument, when it has been looked at. */
  #resolve(
    { id, at }: Expression,
    name: string,
    args: readonly Expression[],
    isMember: boolean,
    targetType?: Type,
  ): Type {
    const types = args.map((arg, index) => (index === 0 && targetType ? targetType : this.check(arg)));
    const matching: Overload[] = [];
    let result: Type | undefined;
    for (const overload of this.#declarations.functions.get(name)!) {
      if (overload.isMember !== isMember || overload.args.length !== types.length) continue;
      const instance = instantiate(overload, this.#found);
      if (!this.#found.assignAll(instance.args, types)) continue;
      matching.push(overload);
      const next = this.#found.apply(instance.result);
      if (result === undefined) result = next;
      else if (!isDyn(result) && showType(result) !== showType(next)) result = dyn;
    }
    this.#overloads.set(id, matching);
    if (result) return result;
    const shown = types.map((type) => showType(this.#found.apply(type, true)));
    const signature = isMember ? `${shown[0]}.(${shown.slice(1).join(', ')})` : `(${shown.join(', ')})`;
    return this.#complain(at, `found no matching overload for '${name}' applied to '${signature}'`);
  }

  #list({ id, items, optional }: Expression & { kind: 'list' }): Type {
    let joined: Type | undefined;
    for (const [index, item] of items.entries()) {
      const type = this.#unwrapped(item, this.check(item), optional.has(index));
      joined = this.#mixed.has(id) ? dyn : this.#join(item.at, joined, type);
    }
    return listOf(joined ?? this.#found.fresh());
  }

  #map({ entries }: Expression & { kind: 'map' }): Type {
    let [keys, values]: (Type | undefined)[] = [];
    for (const { key, value, isOptional } of entries) {
      keys = this.#join(key.at, keys, this.check(key));
      values = this.#join(value.at, values, this.#unwrapped(value, this.check(value), isOptional));
    }
    return mapOf(keys ?? this.#found.fresh(), values ?? this.#found.fresh());
  }

  #unwrapped({ at }: Expression, type: Type, isOptional: boolean): Type {
    if (!isOptional) return type;
    const known = this.#found.apply(type);
    if (known.kind === 'optional') return known.params[0]!;
    if (isDyn(known)) return dyn;
    return this.#complain(
      at,
      `expected type 'optional_type(${showType(known)})' but found '${showType(known)}'`,
    );
  }

  #join(at: number, before: Type | undefined, next: Type): Type {
    if (!before) return next;
    if (this.#found.assign(before, next)) return this.#found.mostGeneral(before, next);
    const [expected, found] = [before, next].map((type) => showType(this.#found.apply(type, true)));
    this.#complain(at, `expected type '${expected}' but found '${found}'`);
    return dyn;
  }

  #comprehension(part: Expression & Comprehension): Type {
    const range = this.#found.apply(this.check(part.range));
    const [first, second] = this.#iterated(part, range);
    const initial = this.check(part.initial);
    const outer = new Map([[part.accumulator, initial]]);
    const inner = new Map([
      [part.variable, first],
      ...(part.variable2 === undefined ? [] : [[part.variable2, second] as const]),
    ]);
    this.#locals.push(outer, inner);
    this.#demand(part.condition, bool);
    this.#demand(part.step, initial);
    this.#locals.pop();
    const result = this.check(part.result);
    this.#locals.pop();
    return this.#found.apply(result);
  }

  /** The types of a loop's variables. */
  #iterated({ variable2, range: { at } }: Comprehension, range: Type): [Type, Type] {
    const isPair = variable2 !== undefined;
    if (range.kind === 'list') return isPair ? [int, range.params[0]!] : [range.params[0]!, dyn];
    if (range.kind === 'map') return [range.params[0]!, range.params[1]!];
    if (range.kind === 'param') this.#found.assign(dyn, range);
    else if (range.kind === 'any' || !isDyn(range)) {
      const shown = showType(range);
      this.#complain(
        at,
        `expression of type '${shown}' cannot be range of a comprehension (must be list, map, or dynamic)`,
      );
      return [errorType, errorType];
    }
    return [dyn, dyn];
  }

  #demand(part: Expression, wanted: Type): void {
    const type = this.check(part);
    if (this.#found.assign(wanted, type)) return;
    const [expected, found] = [wanted, type].map((each) => showType(this.#found.apply(each, true)));
    this.#complain(part.at, `expected type '${expected}' but found '${found}'`);
  }
}

/** A form of a function with variables of its own. */
function instantiate(
  { args, result }: Overload,
  found: Substitutions,
): { args: readonly Type[]; result: Type } {
  const fresh = new Map<string, Type>();
  const renew = (type: Type): Type => {
    if (type.kind === 'param') {
      const known = fresh.get(type.name) ?? found.fresh();
      fresh.set(type.name, known);
      return known;
    }
    return type.params.length === 0 ? type : { ...type, params: type.params.map(renew) };
  };
  return { args: args.map(renew), result: renew(result) };
}

function literalType(value: Value): Type {
  const name = typeNameOf(value);
  const found = [bool, int, uint, double, string, bytes, nullType].find((type) => type.name === name);
  return found ?? param(accumulator);
}
