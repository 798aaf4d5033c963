import { isJsonObject, type JsonValue, setOwn } from '@wherry/kubeapi';

/** A copy without the fields that are null: what upstream's servers write of many that are not there. */
export function withoutNulls<T>(value: T): T {
  return bare(value as JsonValue) as T;
}

function bare(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(bare);
  if (!isJsonObject(value)) return value;
  const copy: Record<string, JsonValue> = {};
  for (const [key, part] of Object.entries(value)) if (part !== null) setOwn(copy, key, bare(part));
  return copy;
}
