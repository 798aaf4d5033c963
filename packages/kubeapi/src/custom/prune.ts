/** Takes out what a schema does not name (upstream: apiserver/schema/pruning). */
import { isJsonObject, type JsonObject, type JsonValue } from '../json/json-value.ts';
import { fieldComplaintsMax } from '../limits.ts';
import type { StructuralSchema } from './structural-schema.ts';

const ofEveryObject: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

/**
 * Prunes a whole object in place, all but its apiVersion, kind and metadata. Returns the paths of what was taken out,
 * sorted, at most {@link fieldComplaintsMax}.
 */
export function pruneObject(object: JsonObject, schema: StructuralSchema): string[] {
  const pruned: string[] = [];
  pruneValue(object, { ...schema, isEmbedded: true }, '', pruned);
  return pruned.sort();
}

/** The value of a default, without what its schema does not name. */
export function prunedValue(value: JsonValue, schema: StructuralSchema): JsonValue {
  const copy = structuredClone(value);
  pruneValue(copy, schema, '', []);
  return copy;
}

function pruneValue(
  value: JsonValue,
  schema: StructuralSchema | undefined,
  path: string,
  pruned: string[],
): void {
  if (Array.isArray(value)) {
    const keeps = schema?.preservesUnknown === true;
    if (keeps && !schema.items) return;
    const items = keeps && schema.items ? { ...schema.items, preservesUnknown: true } : schema?.items;
    for (const [index, item] of value.entries()) pruneValue(item, items, `${path}[${index}]`, pruned);
  } else if (isJsonObject(value)) pruneFields(value, schema, path, pruned);
}

function pruneFields(
  object: JsonObject,
  schema: StructuralSchema | undefined,
  path: string,
  pruned: string[],
): void {
  for (const [name, value] of Object.entries(object)) {
    if (schema?.isEmbedded && ofEveryObject.has(name)) continue;
    const place = path === '' ? name : `${path}.${name}`;
    const known = schema?.properties.get(name);
    const { additional } = schema ?? {};
    if (known) pruneValue(value, known, place, pruned);
    else if (additional !== undefined)
      pruneValue(value, typeof additional === 'object' ? additional : undefined, place, pruned);
    else if (!schema?.preservesUnknown) {
      if (pruned.length < fieldComplaintsMax) pruned.push(place);
      delete object[name];
    }
  }
}
