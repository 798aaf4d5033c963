/** Defaults must be values that their own schema lets through (upstream: apiserver/schema/defaulting/validation.go). */

import { checkLists } from '../../custom/check-lists.ts';
import { checkValue } from '../../custom/check-value.ts';
import { checkEmbedded } from '../../custom/embedded.ts';
import { prunedValue } from '../../custom/prune.ts';
import { compileSchema } from '../../custom/structural-schema.ts';
import type { JSONSchemaProps } from '../../generated/types.ts';
import { isJsonObject, jsonEqual } from '../../json/json-value.ts';
import { at, child, type FieldError, type FieldPath, invalidValue } from '../../status/field-error.ts';

/** Violations in the defaults of a structural schema. Values of maps are not looked into, as upstream. */
export function defaultErrors(
  words: JSONSchemaProps,
  path: FieldPath,
  { isRoot = false, isInMeta = false }: { isRoot?: boolean; isInMeta?: boolean } = {},
): FieldError[] {
  const { items, properties = {} } = words;
  const hasMeta = isRoot || words['x-kubernetes-embedded-resource'] === true;
  const place = child(path, 'default');
  const own = words.default === undefined ? [] : ownErrors(words, place, isRoot);
  const inner = { isInMeta: isInMeta && !hasMeta };
  return [
    ...(isInMeta && own.length > 0
      ? [invalidValue(place, words.default, 'must result in valid metadata')]
      : own),
    ...(items && !Array.isArray(items) ? defaultErrors(items, child(path, 'items'), inner) : []),
    ...Object.entries(properties).flatMap(([name, part]) =>
      defaultErrors(part, at(child(path, 'properties'), name), {
        isInMeta: inner.isInMeta || (hasMeta && ofEveryObject.has(name)),
      }),
    ),
  ];
}

const ofEveryObject: ReadonlySet<string> = new Set(['metadata', 'apiVersion', 'kind']);

function ownErrors(words: JSONSchemaProps, path: FieldPath, isRoot: boolean): FieldError[] {
  const value = words.default ?? null;
  const compiled = compileSchema(words);
  const schema = isRoot ? { ...compiled, isEmbedded: true } : compiled;
  const pruned = jsonEqual(prunedValue(value, schema), value)
    ? []
    : [invalidValue(path, value, 'must not have unknown fields')];
  const embedded = checkEmbedded(value, schema, path);
  if (embedded.length > 0) return [...pruned, ...embedded];
  const lists = isJsonObject(value) ? checkLists(value, schema, path) : [];
  const found = checkValue(value, schema, '').map((error) => {
    if (error.field === '<nil>') return { ...error, field: path };
    return { ...error, field: error.field === '' ? path : child(path, error.field) };
  });
  return [...pruned, ...found, ...lists];
}
