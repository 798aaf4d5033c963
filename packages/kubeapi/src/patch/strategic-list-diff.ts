/** How lists that merge differ: by the keys of their items, or as sets (apimachinery pkg/util/strategicpatch: diffLists). */
import { exactJson } from '../json/exact-json.ts';
import { isJsonObject, type JsonObject, type JsonValue, jsonEqual } from '../json/json-value.ts';
import { PatchError } from './patch-error.ts';
import { keyOf } from './strategic-list.ts';

/** What is said of a list in a patch; what is empty is not said. */
export interface ListDifference {
  /** Added and changed items, in the order that they shall have; behind them those objects that go. */
  items: JsonValue[];
  /** Scalars that go. */
  deleted: JsonValue[];
  /** All items that shall be there, by their keys alone. */
  order: JsonValue[];
}

/** What {@link diffLists} is told of the list. */
export interface ListDiffOptions {
  /** Empty for lists of scalars. */
  mergeKey: string;
  parts: { additions: boolean; deletions: boolean };
  diffItem(before: JsonObject, after: JsonObject): JsonObject;
}

/** The difference of two lists. Throws {@link PatchError} when an item lacks the key. */
export function diffLists(
  before: readonly JsonValue[],
  after: readonly JsonValue[],
  options: ListDiffOptions,
): ListDifference {
  if (before.length === 0)
    return { items: options.parts.additions ? [...after] : [], deleted: [], order: [] };
  const isKeyed = [...before, ...after].some(isJsonObject);
  return isKeyed ? diffObjectLists(before, after, options) : diffScalars(before, after, options);
}

function diffScalars(
  before: readonly JsonValue[],
  after: readonly JsonValue[],
  { parts: { additions, deletions } }: ListDiffOptions,
): ListDifference {
  const walked = pairs(before, after, textOfScalar);
  const added = new Set(walked.filter(([one]) => one === undefined).map(([, other]) => other));
  const gone = new Set(walked.filter(([, other]) => other === undefined).map(([one]) => one));
  const items = additions ? after.filter((item) => added.has(item)) : [];
  const deleted = deletions ? [...gone].filter((item) => item !== undefined) : [];
  const isOrdered = deleted.length > 0 || (additions && !jsonEqual([...before], [...after]));
  return { items, deleted, order: isOrdered ? [...after] : [] };
}

function diffObjectLists(
  before: readonly JsonValue[],
  after: readonly JsonValue[],
  { mergeKey, parts: { additions, deletions }, diffItem }: ListDiffOptions,
): ListDifference {
  const textOf = (item: JsonValue) => textOfScalar(keyOf(item, mergeKey));
  const changed = new Map<JsonValue, JsonValue>();
  const gone: JsonValue[] = [];
  for (const [one, other] of pairs(before, after, textOf)) {
    if (other === undefined) {
      if (deletions && one !== undefined) gone.push({ [mergeKey]: keyOf(one, mergeKey), $patch: 'delete' });
    } else if (one === undefined) {
      if (additions) changed.set(other, other);
    } else {
      const difference = diffItem(objectOf(one), objectOf(other));
      if (Object.keys(difference).length > 0)
        changed.set(other, { ...difference, [mergeKey]: keyOf(other, mergeKey) });
    }
  }
  const items = [...after.map((item) => changed.get(item)).filter((item) => item !== undefined), ...gone];
  const isSameOrder =
    before.length === after.length && after.every((item, at) => textOf(item) === textOf(before[at] ?? null));
  const isOrdered = items.length > 0 || (additions && !isSameOrder);
  const order = isOrdered ? after.map((item) => ({ [mergeKey]: keyOf(item, mergeKey) })) : [];
  return { items, deleted: [], order };
}

function objectOf(item: JsonValue): JsonObject {
  if (isJsonObject(item)) return item;
  throw new PatchError('rejected', `${exactJson(item)} stands among objects in a list`);
}

type Pair = [before: JsonValue | undefined, after: JsonValue | undefined];

/** The items of both lists beside each other, by their keys in order; those of one key in the order that they stand in. */
function pairs(
  before: readonly JsonValue[],
  after: readonly JsonValue[],
  textOf: (item: JsonValue) => string,
): Pair[] {
  const [left, right] = [before, after].map((list) =>
    list.map((item) => ({ item, text: textOf(item) })).sort((one, other) => compare(one.text, other.text)),
  ) as [Keyed[], Keyed[]];
  const found: Pair[] = [];
  for (let [leftAt, rightAt] = [0, 0]; leftAt < left.length || rightAt < right.length; ) {
    const [one, other] = [left[leftAt], right[rightAt]];
    const order = !one ? 1 : !other ? -1 : compare(one.text, other.text);
    if (order <= 0) leftAt++;
    if (order >= 0) rightAt++;
    found.push([order <= 0 ? one?.item : undefined, order >= 0 ? other?.item : undefined]);
  }
  return found;
}

interface Keyed {
  item: JsonValue;
  text: string;
}

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

/** As Go prints it; a key that is none of the scalars is its JSON. */
const textOfScalar = (value: JsonValue): string => (typeof value === 'string' ? value : exactJson(value));
