/** What expressions that patch objects have come to, as JSON (upstream: plugin/policy/mutating/patch). */
import { type JsonObject, type JsonValue, setOwn } from '../../json/json-value.ts';
import { ConstructedObject } from '../values/constructed.ts';
import { showDuration, showTimestamp } from '../values/time.ts';
import {
  CelList,
  CelMap,
  CelObject,
  Duration,
  Optional,
  Timestamp,
  typeNameOf,
  Uint,
  type Value,
} from '../values/value.ts';
import { PolicyFailure } from './policy-expressions.ts';

/** An object that is to be laid over another. Throws PolicyFailure on one that names its parts wrongly, or has no JSON. */
export function appliedObject(value: Value): JsonObject {
  const json = toJson(checked(value), appliedScalar);
  if (typeof json === 'object' && json !== null && !Array.isArray(json)) return json;
  throw new PolicyFailure('invalid return type: not an object');
}

/** The operations of a JSON patch. Throws PolicyFailure as above. */
export function patchOperations(value: Value): JsonValue[] {
  if (!(value instanceof CelList)) throw new PolicyFailure('type mismatch: not a list of JSONPatch');
  return [...value].map((entry): JsonValue => {
    if (!(entry instanceof ConstructedObject) || entry.typeName !== 'JSONPatch')
      throw new PolicyFailure('type mismatch: not a list of JSONPatch');
    const text = (name: string): string => {
      const found = entry.get(name) ?? '';
      if (typeof found === 'string') return found;
      throw new PolicyFailure(`unexpected type ${typeNameOf(found)} for the field '${name}' of a JSONPatch`);
    };
    const given = entry.get('value');
    return {
      ...{ op: text('op'), path: text('path') },
      ...(text('from') === '' ? {} : { from: text('from') }),
      ...(given === undefined ? {} : { value: toJson(checked(given), patchScalar) }),
    };
  });
}

/** The type of each object says by which fields it is reached; lists and maps between say nothing. */
function checked(value: Value): Value {
  if (value instanceof ConstructedObject) checkNames(value, value.typeName);
  return value;
}

function checkNames(value: Value, place: string): void {
  if (value instanceof ConstructedObject) {
    const { typeName } = value;
    if (typeName !== place)
      throw new PolicyFailure(
        `type mismatch: unexpected type name ${JSON.stringify(typeName)}, expected ${JSON.stringify(place)}, which matches field name path from root Object type`,
      );
    for (const field of value.fields()) checkNames(value.get(field)!, `${place}.${field}`);
  } else if (value instanceof CelList) for (const item of value) checkNames(item, place);
  else if (value instanceof CelMap) for (const key of value.keys()) checkNames(value.get(key)!, place);
}

/** What has no parts, in JSON; undefined where it has no form in it. */
type ScalarForm = (value: Value) => JsonValue | undefined;

function appliedScalar(value: Value): JsonValue | undefined {
  if (typeof value === 'boolean' || typeof value === 'string') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (typeof value === 'bigint') return isExact(value) ? Number(value) : undefined;
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  return undefined;
}

/** As messages of protobuf are written in JSON: numbers that are not exact in it are texts. */
function patchScalar(value: Value): JsonValue | undefined {
  if (value === null) return null;
  if (typeof value === 'bigint') return isExact(value) ? Number(value) : String(value);
  if (value instanceof Uint) return isExact(value.value) ? Number(value.value) : String(value.value);
  if (value instanceof Timestamp) return showTimestamp(value);
  if (value instanceof Duration) return showDuration(value);
  return appliedScalar(value);
}

const isExact = (value: bigint) =>
  value <= BigInt(Number.MAX_SAFE_INTEGER) && value >= BigInt(Number.MIN_SAFE_INTEGER);

function toJson(value: Value, scalar: ScalarForm): JsonValue {
  if (value instanceof CelList) return [...value].map((item) => toJson(item, scalar));
  if (value instanceof Optional && value.value !== undefined) return toJson(value.value, scalar);
  const object: JsonObject = {};
  if (value instanceof CelObject && value.typeName !== 'JSONPatch') {
    for (const field of value.fields()) setOwn(object, field, toJson(value.get(field)!, scalar));
    return object;
  }
  if (!(value instanceof CelMap)) {
    const json = value instanceof Optional ? scalar(null) : scalar(value);
    if (json !== undefined) return json;
    throw new PolicyFailure(`a value of type ${typeNameOf(value)} has no form here`);
  }
  for (const key of value.keys()) {
    if (typeof key !== 'string') throw new PolicyFailure('keys of maps must be strings');
    setOwn(object, key, toJson(value.get(key)!, scalar));
  }
  return object;
}
