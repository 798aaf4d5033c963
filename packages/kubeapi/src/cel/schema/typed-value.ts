/** Values of JSON by a schema, looked at only where they are asked for (upstream: pkg/cel/common/valuesunstructured.go). */

import type { JSONSchemaProps } from '../../generated/types.ts';
import { exactJson } from '../../json/exact-json.ts';
import {
  isJsonObject,
  isNumber,
  type JsonObject,
  type JsonValue,
  jsonEqual,
  ownValue,
} from '../../json/json-value.ts';
import { ArrayList } from '../values/collections.ts';
import { equalValues } from '../values/equality.ts';
import { fromJson, JsonList, JsonMap } from '../values/json.ts';
import { parseDuration, parseTimestamp } from '../values/time.ts';
import { CelError, type CelList, CelObject, Opaque, type Value } from '../values/value.ts';
import { anything, withMetadata } from './declared-type.ts';
import { escapedName, unescapedName } from './names.ts';

/** What a value of this schema is in CEL. */
export function typedValue(value: JsonValue, words: JSONSchemaProps, isRoot = false): Value {
  if (words === anything) return fromJson(value);
  if (value === null)
    return words.nullable ? null : new CelError('invalid data, got null for schema with nullable=false');
  if (words['x-kubernetes-int-or-string']) {
    if (typeof value === 'string') return value;
    if (isNumber(value)) return wholeOf(value);
    return new CelError('invalid data, expected XIntOrString value to be either a string or integer');
  }
  switch (words.type) {
    case 'object':
      return isJsonObject(value) ? objectOf(value, words, isRoot) : wrongType('a map', 'object');
    case 'array':
      return Array.isArray(value) ? listOf(value, words) : wrongType('an array', 'array');
    case 'string':
      return typeof value === 'string' ? textOf(value, words) : wrongType('string', 'string');
    case 'number':
      return isNumber(value) ? Number(value) : wrongType('float', 'number');
    case 'integer':
      return isNumber(value) ? wholeOf(value) : wrongType('int', 'integer');
    case 'boolean':
      return typeof value === 'boolean' ? value : wrongType('bool', 'boolean');
    default:
      if (words['x-kubernetes-preserve-unknown-fields']) return new Preserved(value);
      return new CelError('invalid type, expected object, array, number, integer, boolean or string');
  }
}

const wholeOf = (value: number | bigint): bigint =>
  typeof value === 'bigint' ? value : BigInt(Math.trunc(value));

const wrongType = (expected: string, type: string): CelError =>
  new CelError(`invalid data, expected ${expected} for the provided schema with type=${type}`);

function textOf(text: string, { format }: JSONSchemaProps): Value {
  if (format === 'duration') return parseDuration(text);
  if (format === 'date') return parseTimestamp(`${text}T00:00:00Z`);
  if (format === 'date-time') return parseTimestamp(text);
  if (format !== 'byte') return text;
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return new CelError(`cannot convert ${JSON.stringify(text)} to bytes: illegal base64 data`);
  }
}

function objectOf(object: JsonObject, words: JSONSchemaProps, isRoot: boolean): Value {
  const { additionalProperties, properties } = words;
  const isEmbedded = isRoot || words['x-kubernetes-embedded-resource'] === true;
  if (!isEmbedded && !properties && isJsonObject(additionalProperties))
    return new JsonMap(object, (value) => typedValue(value, additionalProperties));
  return new TypedObject(object, isEmbedded ? withMetadata(words) : words);
}

/** What a schema keeps and tells no type of: it can be compared, and nothing else. */
class Preserved extends Opaque {
  readonly typeName = 'unknown';
  readonly #value: JsonValue;

  constructor(value: JsonValue) {
    super();
    this.#value = value;
  }

  equals(other: Opaque): boolean {
    return other instanceof Preserved && jsonEqual(this.#value, other.#value);
  }
}

/** Fields that are null count as absent. */
class TypedObject extends CelObject {
  readonly typeName = 'object';
  readonly #object: JsonObject;
  readonly #words: JSONSchemaProps;

  constructor(object: JsonObject, words: JSONSchemaProps) {
    super();
    this.#object = object;
    this.#words = words;
  }

  get(field: string): Value | undefined {
    return this.#valueOf(unescapedName(field));
  }

  #valueOf(name: string): Value | undefined {
    const schema = ownValue(this.#words.properties, name);
    const value = ownValue(this.#object, name) ?? undefined;
    return schema === undefined || value === undefined ? undefined : typedValue(value, schema);
  }

  *fields(): Iterable<string> {
    for (const name of Object.keys(this.#object)) {
      const escaped = escapedName(name);
      if (escaped !== undefined && ownValue(this.#words.properties, name)) yield escaped;
    }
  }

  /** Fields that the schema does not name are in no expression, and are compared as JSON. */
  override equalIn(other: CelObject, equal: (left: Value, right: Value) => boolean): boolean {
    if (!(other instanceof TypedObject)) return false;
    const names = Object.keys(this.#object);
    if (names.length !== Object.keys(other.#object).length) return false;
    return names.every((name) => {
      if (!ownValue(this.#words.properties, name))
        return jsonEqual(ownValue(this.#object, name), ownValue(other.#object, name));
      const [one, two] = [this.#valueOf(name), other.#valueOf(name)];
      return one === undefined || two === undefined ? one === two : equal(one, two);
    });
  }
}

function listOf(items: readonly JsonValue[], words: JSONSchemaProps): Value {
  const { items: schema } = words;
  if (!isJsonObject(schema))
    return new CelError('invalid array type, expected Items with a non-empty Schema');
  const itemOf = (item: JsonValue) => typedValue(item, schema as JSONSchemaProps);
  const listType = words['x-kubernetes-list-type'];
  if (listType === 'set') return new SetList(items, itemOf, (item) => exactJson(item));
  if (listType !== 'map') return new JsonList(items, itemOf);
  const keys = words['x-kubernetes-list-map-keys'] ?? [];
  return new SetList(items, itemOf, (item) =>
    exactJson(keys.map((key) => (isJsonObject(item) ? (ownValue(item, key) ?? null) : null))),
  );
}

/** A list that is a set, or a map by the keys of its items: its order does not count, and joining replaces. */
class SetList extends JsonList {
  readonly items: readonly JsonValue[];
  readonly keyOf: (item: JsonValue) => string;

  constructor(
    items: readonly JsonValue[],
    itemOf: (item: JsonValue) => Value,
    keyOf: (item: JsonValue) => string,
  ) {
    super(items, itemOf);
    this.items = items;
    this.keyOf = keyOf;
  }

  override joined(other: CelList): Value {
    const values = [...this];
    const places = new Map(this.items.map((item, index) => [this.keyOf(item), index]));
    for (const [index, value] of [...other].entries()) {
      const key = other instanceof SetList ? this.keyOf(other.items[index]!) : undefined;
      const place =
        key === undefined ? values.findIndex((each) => equalValues(each, value)) : (places.get(key) ?? -1);
      if (place >= 0) values[place] = value;
      else values.push(value);
    }
    return new ArrayList(values);
  }

  override equalIn(other: CelList, equal: (left: Value, right: Value) => boolean): boolean {
    if (!(other instanceof SetList))
      return [...this].every((item) => [...other].some((each) => equal(item, each)));
    const places = new Map(other.items.map((item, index) => [this.keyOf(item), index]));
    return this.items.every((item, index) => {
      const place = places.get(this.keyOf(item));
      return place !== undefined && equal(this.at(index), other.at(place));
    });
  }
}
