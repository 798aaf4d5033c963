/** Fields, keys and indices, of optional values as of others. */
import { elementOf } from '../library/operators.ts';
import { CelError, CelList, CelMap, CelObject, isError, Optional, type Value } from '../values/value.ts';

/** Undefined where it is not there. */
function find(owner: Value, key: Value): Value | undefined {
  if (owner instanceof CelObject) return typeof key === 'string' ? owner.get(key) : undefined;
  if (owner instanceof CelMap) return owner.get(key);
  if (owner instanceof CelList) {
    const item = elementOf(owner, key);
    return isError(item) ? undefined : item;
  }
  return undefined;
}

/** `owner.field`. */
export function selected(owner: Value, field: string): Value {
  if (isError(owner)) return owner;
  if (owner instanceof Optional) return optionally(owner, field);
  const found = owner instanceof CelList ? undefined : find(owner, field);
  return found === undefined ? new CelError(`no such key: ${field}`) : found;
}

/** `owner[key]`. */
export function indexed(owner: Value, key: Value): Value {
  if (isError(owner)) return owner;
  if (isError(key)) return key;
  if (owner instanceof Optional) return optionally(owner, key);
  return elementOf(owner, key);
}

/** `owner.?field` and `owner[?key]`. */
export function optionally(owner: Value, key: Value): Value {
  if (isError(owner)) return owner;
  if (isError(key)) return key;
  const inner = owner instanceof Optional ? owner.value : owner;
  const found = inner === undefined ? undefined : find(inner, key);
  return found === undefined ? Optional.none : new Optional(found);
}

/** `has(owner.field)`. */
export function isPresent(owner: Value, field: string): Value {
  if (isError(owner)) return owner;
  const inner = owner instanceof Optional ? owner.value : owner;
  if (inner === undefined) return false;
  if (inner instanceof CelMap) return find(inner, field) !== undefined;
  // By a schema null is as good as absent.
  if (inner instanceof CelObject) return (find(inner, field) ?? null) !== null;
  return new CelError(`no such key: ${field}`);
}
