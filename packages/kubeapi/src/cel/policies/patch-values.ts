/** What expressions that patch objects have come to, as JSON (upstream: plugin/policy/mutating/patch). */
import { type JsonObject, type JsonValue, setOwn } from '../../json/json-value.ts';
import { ConstructedObject } from '../values/constructed.ts';
import { CelList, CelMap, CelObject, Optional, Uint, type Value } from '../values/value.ts';
import { PolicyFailure } from './policy-expressions.ts';

/** An object that is to be laid over another. Throws PolicyFailure on one that names its parts wrongly, or has no JSON. */
export function appliedObject(value: Value): JsonObject {
  const json = toJson(checked(value));
  if (typeof json === 'object' && json !== null && !Array.isArray(json)) return json;
  throw new PolicyFailure('invalid return type: not an object');
}

/** The operations of a JSON patch. Throws PolicyFailure as above. */
export function patchOperations(value: Value): JsonValue[] {
  if (!(value instanceof CelList)) throw new PolicyFailure('type mismatch: not a list of JSONPatch');
  return [...value].map((entry): JsonValue => {
    if (!(entry instanceof ConstructedObject) || entry.typeName !== 'JSONPatch')
      throw new PolicyFailure('type mismatch: not a list of JSONPatch');
    const text = (name: string) => String(entry.get(name) ?? '');
    const given = entry.get('value');
    return {
      ...{ op: text('op'), path: text('path') },
      ...(text('from') === '' ? {} : { from: text('from') }),
      ...(given === undefined ? {} : { value: toJson(checked(given)) }),
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

function toJson(value: Value): JsonValue {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof Uint) return Number(value.value);
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (value instanceof CelList) return [...value].map(toJson);
  if (value instanceof Optional) return value.value === undefined ? null : toJson(value.value);
  const object: JsonObject = {};
  if (value instanceof CelObject) {
    for (const field of value.fields()) setOwn(object, field, toJson(value.get(field)!));
    return object;
  }
  if (!(value instanceof CelMap)) throw new PolicyFailure('the value has no form in JSON');
  for (const key of value.keys()) {
    if (typeof key !== 'string') throw new PolicyFailure('keys of maps must be strings');
    setOwn(object, key, toJson(value.get(key)!));
  }
  return object;
}
