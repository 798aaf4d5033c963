/** Strategic merge patches made from states of an object (apimachinery pkg/util/strategicpatch: diffMaps). */
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  jsonEqual,
  ownValue,
  setOwn,
} from '../json/json-value.ts';
import type { FieldSchema, MessageSchema } from '../schema/schema.ts';
import type { ThreeStates } from './merge-patch.ts';
import { mergePatches } from './merge-patches.ts';
import { diffLists } from './strategic-list-diff.ts';
import { deletePrefix, fieldOf, itemSchema, orderPrefix, retainKeys } from './strategic-patch.ts';

/** Which of the differences a patch tells of. */
export interface DiffParts {
  additions: boolean;
  deletions: boolean;
}

/** The patch that makes `after` of `before`; an empty object when they are equal. Throws `PatchError` for items without their key. */
export function createStrategicPatch(
  before: JsonObject,
  after: JsonObject,
  schema: MessageSchema | undefined,
): JsonObject {
  return diffObjects(before, after, { schema, parts: { additions: true, deletions: true } });
}

/**
 * The patch that makes `current` hold all of `modified`, and takes away what was in `original` and is there no longer; what others
 * have added stays. Throws `PatchError`.
 */
export function createThreeWayStrategicPatch(
  { original, modified, current }: ThreeStates,
  schema: MessageSchema | undefined,
): JsonObject {
  const additions = diffObjects(current, modified, { schema, parts: { additions: true, deletions: false } });
  const deletions = diffObjects(original, modified, { schema, parts: { additions: false, deletions: true } });
  return mergePatches(deletions, additions, schema);
}

interface DiffOptions {
  schema: MessageSchema | undefined;
  parts: DiffParts;
  /** The object is one of which alternatives exclude each other: what stays is named. */
  retainsKeys?: boolean;
}

function diffObjects(
  before: JsonObject,
  after: JsonObject,
  { schema, parts, retainsKeys = false }: DiffOptions,
): JsonObject {
  const patch: JsonObject = {};
  for (const [key, value] of Object.entries(after)) {
    const previous = ownValue(before, key);
    const field = fieldOf(key, schema);
    if (Array.isArray(previous) && Array.isArray(value) && isMerging(field))
      addListDiff(patch, { key, before: previous, after: value, field, parts });
    else if (isJsonObject(previous) && isJsonObject(value) && !field?.patchStrategies.includes('replace')) {
      const inner = diffObjects(previous, value, {
        ...{ schema: innerSchema(field), parts },
        retainsKeys: field?.patchStrategies.includes('retainKeys') ?? false,
      });
      if (Object.keys(inner).length > 0) setOwn(patch, key, inner);
    } else if (parts.additions && !jsonEqual(previous, value)) setOwn(patch, key, value);
  }
  const gone = Object.keys(before).filter((key) => !Object.hasOwn(after, key));
  if (parts.deletions) for (const key of gone) setOwn(patch, key, null);
  const kept = Object.entries(after).flatMap(([key, value]) => (value === null ? [] : [key]));
  if (retainsKeys && kept.length > 0 && (Object.keys(patch).length > 0 || gone.length > 0))
    patch[retainKeys] = kept.sort();
  return patch;
}

const isMerging = (field: FieldSchema | undefined): field is FieldSchema =>
  field?.patchStrategies.includes('merge') ?? false;

/** Of a map's value nothing is known but what its keys are. */
const innerSchema = (field: FieldSchema | undefined): MessageSchema | undefined =>
  field?.shape === 'map' ? undefined : itemSchema(field);

interface ListDiff {
  key: string;
  before: JsonValue[];
  after: JsonValue[];
  field: FieldSchema;
  parts: DiffParts;
}

/** A list that is merged is told of in up to three fields of the patch. */
function addListDiff(patch: JsonObject, { key, before, after, field, parts }: ListDiff): void {
  const retainsKeys = field.patchStrategies.includes('retainKeys');
  const { items, deleted, order } = diffLists(before, after, {
    mergeKey: field.patchMergeKey ?? '',
    parts,
    diffItem: (one, other) => diffObjects(one, other, { schema: itemSchema(field), parts, retainsKeys }),
  });
  if (items.length > 0) setOwn(patch, key, items);
  if (deleted.length > 0) setOwn(patch, `${deletePrefix}/${key}`, deleted);
  if (order.length > 0) setOwn(patch, `${orderPrefix}/${key}`, order);
}
