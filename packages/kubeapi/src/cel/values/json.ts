/** Values of JSON without a schema, looked at only where they are asked for. */
import { isJsonObject, type JsonObject, type JsonValue, ownValue } from '../../json/json-value.ts';
import { CelList, CelMap, type Value } from './value.ts';

/** What a value of JSON is in CEL: whole numbers are `int`. */
export function fromJson(value: JsonValue): Value {
  if (typeof value === 'number')
    return Number.isInteger(value) && Number.isSafeInteger(value) ? BigInt(value) : value;
  if (Array.isArray(value)) return new JsonList(value, fromJson);
  if (isJsonObject(value)) return new JsonMap(value, fromJson);
  return value;
}

/** A list of JSON. */
export class JsonList extends CelList {
  readonly #items: readonly JsonValue[];
  readonly #itemOf: (item: JsonValue) => Value;

  constructor(items: readonly JsonValue[], itemOf: (item: JsonValue) => Value) {
    super();
    this.#items = items;
    this.#itemOf = itemOf;
  }

  get size(): number {
    return this.#items.length;
  }

  at(index: number): Value {
    return this.#itemOf(this.#items[index]!);
  }
}

/** An object of JSON as a map. */
export class JsonMap extends CelMap {
  readonly #object: Readonly<JsonObject>;
  readonly #memberOf: (value: JsonValue) => Value;
  #size: number | undefined;

  constructor(object: Readonly<JsonObject>, memberOf: (value: JsonValue) => Value) {
    super();
    this.#object = object;
    this.#memberOf = memberOf;
  }

  get size(): number {
    this.#size ??= Object.keys(this.#object).length;
    return this.#size;
  }

  get(key: Value): Value | undefined {
    if (typeof key !== 'string') return undefined;
    const value = ownValue(this.#object, key);
    return value === undefined ? undefined : this.#memberOf(value);
  }

  keys(): Iterable<Value> {
    return Object.keys(this.#object);
  }
}
