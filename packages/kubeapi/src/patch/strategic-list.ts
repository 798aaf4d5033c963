/** How lists merge in a strategic patch: by key or as sets, with the patch's order before the server's. */
import { goText } from '../json/go-json.ts';
import { isJsonObject, type JsonObject, type JsonValue, ownValue } from '../json/json-value.ts';
import { PatchError } from './patch-error.ts';

/** One list of the patch and what the schema says of it. */
export interface ListPatch {
  name: string;
  patch: JsonValue[];
  /** Empty for lists of scalars. */
  mergeKey: string;
  /** False: the list is replaced as a whole. */
  isMerging: boolean;
  mergeItem(before: JsonObject, after: JsonObject): JsonObject;
}

/** The merged list. Throws {@link PatchError} when an item lacks the key. */
export function mergeList(original: JsonValue[], list: ListPatch): JsonValue[] {
  return mergeWithOrder(original, list).merged;
}

/** The merged list, and the order in which the server is taken to have had it. */
function mergeWithOrder(
  original: JsonValue[],
  list: ListPatch,
): { merged: JsonValue[]; server: JsonValue[] } {
  if (!list.isMerging) return { merged: list.patch, server: original };
  if (original.length === 0 && list.patch.length === 0) return { merged: original, server: original };
  const isKeyed = [...original, ...list.patch].some(isJsonObject);
  if (!isKeyed) {
    const all = [...new Set([...original, ...list.patch])];
    return { merged: inOrder(all, list.patch, original, ''), server: original };
  }
  if (list.mergeKey === '')
    throw new PatchError('rejected', `cannot merge lists without merge key for ${list.name}`);
  const { kept, additions, isReplaced } = applyItemDirectives(original, list);
  if (isReplaced) return { merged: additions, server: kept };
  const all = mergeItems(kept, additions, list);
  const merged = inOrder(all, additions, original, list.mergeKey);
  // As upstream, which works in place: where items go, as many of the new ones stand behind those that stay.
  return { merged, server: all.slice(0, original.length) };
}

/** The merged list in the order of `$setElementOrder`; what only the server has keeps its neighbours. */
export function mergeKeyedOrder(
  original: JsonValue[] | undefined,
  list: ListPatch & { hasPatch: boolean },
  order: JsonValue[],
): JsonValue[] {
  if (list.hasPatch) checkOrder(list, order);
  const additions = list.patch.filter((item) => !(isJsonObject(item) && Object.hasOwn(item, '$patch')));
  if (original === undefined) return inOrder(additions, order, [], list.mergeKey);
  const { merged, server } = list.hasPatch
    ? mergeWithOrder(original, list)
    : { merged: original, server: original };
  return inOrder(merged, order, server, list.mergeKey);
}

/** The patch's items must stand in the order that the directive states. */
function checkOrder(list: ListPatch, order: JsonValue[]): void {
  if (order.length === 0) return;
  const keys = order.map((item) => keyOf(item, list.mergeKey));
  let from = 0;
  for (const item of list.patch) {
    if (isJsonObject(item) && Object.hasOwn(item, '$patch')) continue;
    const found = keys.indexOf(keyOf(item, list.mergeKey), from);
    if (found < 0) {
      throw new PatchError(
        'rejected',
        `The order in patch list:\n${goText(list.patch)}\n doesn't match $setElementOrder list:\n${goText(order)}\n`,
      );
    }
    from = found + 1;
  }
}

/** What tells an item from the others; of scalars the item. Throws {@link PatchError} where it has none. */
export function keyOf(item: JsonValue, mergeKey: string): JsonValue {
  if (mergeKey === '') return item;
  const key = isJsonObject(item) ? ownValue(item, mergeKey) : undefined;
  if (key === undefined) {
    throw new PatchError('rejected', `map: ${goText(item)} does not contain declared merge key: ${mergeKey}`);
  }
  return key;
}

function applyItemDirectives(original: JsonValue[], list: ListPatch) {
  const deleted = new Set<JsonValue>();
  let isReplaced = false;
  const additions: JsonObject[] = [];
  for (const item of list.patch) {
    if (!isJsonObject(item)) throw new PatchError('rejected', `items of ${list.name} must be objects`);
    const instruction = item['$patch'];
    if (instruction === undefined) additions.push(item);
    else if (instruction === 'replace') isReplaced = true;
    else if (instruction === 'delete') deleted.add(keyOf(item, list.mergeKey));
    else if (instruction === 'merge') {
      throw new PatchError('rejected', 'merging lists cannot yet be specified in the patch');
    } else
      throw new PatchError('rejected', `unknown patch type: ${goText(instruction)} in map: ${goText(item)}`);
  }
  const isKept = (item: JsonValue) => {
    const key = isJsonObject(item) ? ownValue(item, list.mergeKey) : undefined;
    return key === undefined || !deleted.has(key);
  };
  return { kept: deleted.size === 0 ? original : original.filter(isKept), additions, isReplaced };
}

function mergeItems(original: JsonValue[], additions: JsonObject[], list: ListPatch): JsonValue[] {
  const merged = [...original];
  const places = new Map<JsonValue, number>();
  for (const [index, item] of merged.entries()) {
    const key = isJsonObject(item) ? ownValue(item, list.mergeKey) : undefined;
    if (key !== undefined && !places.has(key)) places.set(key, index);
  }
  for (const addition of additions) {
    const key = keyOf(addition, list.mergeKey);
    const at = places.get(key) ?? merged.length;
    const before = merged[at];
    merged[at] = isJsonObject(before) ? list.mergeItem(before, addition) : addition;
    places.set(key, at);
  }
  return merged;
}

/**
 * Items named by `order` in that order, the others in the order of `server`; both interleaved so that a server-only
 * item stays before those it stood before.
 */
function inOrder(
  merged: JsonValue[],
  order: JsonValue[],
  server: JsonValue[],
  mergeKey: string,
): JsonValue[] {
  const orderAt = positions(order, mergeKey);
  const serverAt = positions(server, mergeKey);
  const key = (item: JsonValue) => keyOf(item, mergeKey);
  const named = merged.filter((item) => orderAt.has(key(item)));
  const others = merged.filter((item) => !orderAt.has(key(item)));
  named.sort((left, right) => orderAt.get(key(left))! - orderAt.get(key(right))!);
  const result: JsonValue[] = [];
  let next = 0;
  for (const item of named) {
    const place = serverAt.get(key(item));
    while (place !== undefined && next < others.length) {
      const otherPlace = serverAt.get(key(others[next]!));
      if (otherPlace === undefined || otherPlace >= place) break;
      result.push(others[next++]!);
    }
    result.push(item);
  }
  return [...result, ...others.slice(next)];
}

function positions(items: JsonValue[], mergeKey: string): Map<JsonValue, number> {
  const found = new Map<JsonValue, number>();
  for (const [index, item] of items.entries()) {
    const key = keyOf(item, mergeKey);
    if (!found.has(key)) found.set(key, index);
  }
  return found;
}
