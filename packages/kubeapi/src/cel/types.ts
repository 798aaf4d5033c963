/** The types of CEL: what an expression can be known to yield before it runs. */

/** A type. `params` are those of lists, maps, optionals and of types as values; `name` tells objects and variables apart. */
export interface Type {
  readonly kind: TypeKind;
  readonly name: string;
  readonly params: readonly Type[];
}

export type TypeKind =
  | 'dyn'
  /** Unknown like dyn, but nothing that loops go over. */
  | 'any'
  | 'error'
  | 'null'
  | 'bool'
  | 'int'
  | 'uint'
  | 'double'
  | 'string'
  | 'bytes'
  | 'timestamp'
  | 'duration'
  | 'type'
  | 'list'
  | 'map'
  | 'optional'
  /** Has fields that are selected. */
  | 'object'
  /** Has methods alone. */
  | 'opaque'
  /** Stands for any one type. */
  | 'param';

const simple = (kind: TypeKind, name: string = kind): Type => ({ kind, name, params: [] });

export const dyn = simple('dyn');
export const anyValue = simple('any', 'google.protobuf.Any');
export const errorType = simple('error', '!error!');
export const nullType = simple('null', 'null_type');
export const bool = simple('bool');
export const int = simple('int');
export const uint = simple('uint');
export const double = simple('double');
export const string = simple('string');
export const bytes = simple('bytes');
export const timestamp = simple('timestamp', 'google.protobuf.Timestamp');
export const duration = simple('duration', 'google.protobuf.Duration');

/** Lists of one type of items. */
export const listOf = (item: Type): Type => ({ kind: 'list', name: 'list', params: [item] });
export const mapOf = (key: Type, value: Type): Type => ({ kind: 'map', name: 'map', params: [key, value] });
export const optionalOf = (value: Type): Type => ({
  kind: 'optional',
  name: 'optional_type',
  params: [value],
});
/** A type as a value: what `type(x)` yields. */
export const typeOf = (type: Type): Type => ({ kind: 'type', name: 'type', params: [type] });
export const objectNamed = (name: string): Type => simple('object', name);
export const opaqueNamed = (name: string): Type => simple('opaque', name);
export const param = (name: string): Type => simple('param', name);

const wordOf: Partial<Record<TypeKind, string>> = {
  null: 'null',
  any: 'any',
  timestamp: 'timestamp',
  duration: 'duration',
};

/** As error messages show it: `map(string, int)`. */
export const showType = (type: Type): string => shownBy(type, ({ kind, name }) => wordOf[kind] ?? name);

/** As it is called where values know it: `map(string, google.protobuf.Any)`. */
export const fullTypeName = (type: Type): string => shownBy(type, ({ name }) => name);

function shownBy(type: Type, word: (type: Type) => string): string {
  if (type.params.length === 0) return word(type);
  return `${word(type)}(${type.params.map((each) => shownBy(each, word)).join(', ')})`;
}

/** True when nothing is known before it runs. */
export const isDyn = ({ kind }: Type): boolean => kind === 'dyn' || kind === 'any' || kind === 'error';

/** What variables of types have turned out to stand for. */
export class Substitutions {
  readonly #found = new Map<string, Type>();
  #count = 0;

  /** Another variable than all before. */
  fresh(): Type {
    this.#count += 1;
    return param(`_var${this.#count}`);
  }

  find(variable: Type): Type | undefined {
    return this.#found.get(variable.name);
  }

  /** The type with all that is known of its variables; the others stay, or become dyn. */
  apply(type: Type, othersAreDyn = false): Type {
    if (type.kind === 'param') {
      const found = this.#found.get(type.name);
      if (found) return this.apply(found, othersAreDyn);
      return othersAreDyn ? dyn : type;
    }
    if (type.params.length === 0) return type;
    return { ...type, params: type.params.map((each) => this.apply(each, othersAreDyn)) };
  }

  /** Whether a value of `from` may stand where `to` is wanted; what that says of variables is kept if so. */
  assign(to: Type, from: Type): boolean {
    return this.assignAll([to], [from]);
  }

  assignAll(to: readonly Type[], from: readonly Type[]): boolean {
    const before = new Map(this.#found);
    if (to.length === from.length && to.every((each, index) => this.#fits(each, from[index]!))) return true;
    this.#found.clear();
    for (const [name, type] of before) this.#found.set(name, type);
    return false;
  }

  #fits(to: Type, from: Type): boolean {
    if (from.kind === 'param') {
      const known = this.#bind(to, from);
      if (known !== undefined) return known;
    }
    if (to.kind === 'param') {
      const known = this.#bind(from, to);
      if (known !== undefined) return known;
    }
    if (isDyn(to) || isDyn(from)) return true;
    if (to.kind === 'null') return isNullable(from);
    if (from.kind === 'null') return isNullable(to);
    if (to.kind === 'type' && from.kind === 'type') return true;
    if (to.kind !== from.kind || to.params.length !== from.params.length) return false;
    if ((to.kind === 'object' || to.kind === 'opaque') && to.name !== from.name) return false;
    return to.params.every((each, index) => this.#fits(each, from.params[index]!));
  }

  /** Undefined: nothing keeps the variable from it, and nothing could be noted. */
  #bind(type: Type, variable: Type): boolean | undefined {
    if (type.kind === 'param' && type.name === variable.name) return true;
    const found = this.#found.get(variable.name);
    if (found) {
      if (!this.#fits(type, found)) return false;
      const general = this.mostGeneral(type, found);
      if (!this.#refersTo(general, variable)) this.#found.set(variable.name, general);
      return true;
    }
    if (this.#refersTo(type, variable)) return undefined;
    this.#found.set(variable.name, type);
    return true;
  }

  /** Of two that fit each other. */
  mostGeneral(left: Type, right: Type): Type {
    return this.#isLessSpecific(left, right) ? left : right;
  }

  #isLessSpecific(left: Type, right: Type): boolean {
    const [one, other] = [this.apply(left), this.apply(right)];
    if (isDyn(one) || one.kind === 'param') return true;
    if (isDyn(other) || other.kind === 'param') return false;
    if (one.kind === 'null') return false;
    if (one.kind !== other.kind || one.params.length !== other.params.length) return false;
    return one.params.every((each, index) => this.#isLessSpecific(each, other.params[index]!));
  }

  #refersTo(type: Type, variable: Type): boolean {
    if (type.kind === 'param') {
      if (type.name === variable.name) return true;
      const found = this.#found.get(type.name);
      return found !== undefined && this.#refersTo(found, variable);
    }
    return type.params.some((each) => this.#refersTo(each, variable));
  }
}

/** Where null may stand instead. */
function isNullable({ kind }: Type): boolean {
  return (
    kind === 'null' ||
    kind === 'object' ||
    kind === 'opaque' ||
    kind === 'timestamp' ||
    kind === 'duration' ||
    kind === 'optional'
  );
}
