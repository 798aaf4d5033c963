/** Lists whose items are told apart: by keys, or by their value (kyaml yaml/walk/associative_sequence.go). */
import {
  fieldOf,
  isEmpty,
  isMissing,
  type ListNode,
  list,
  scalar,
  textOf,
  type YamlNode,
} from '../yaml/node.ts';

/** Merges two items; undefined where the item goes. */
export type MergeItems = (target: YamlNode | undefined, patch: YamlNode | undefined) => YamlNode | undefined;

/** The patch's items first, then what the target has besides. `patch` may be the target itself. */
export function mergeKeyedList(
  target: ListNode,
  patch: ListNode | undefined,
  keys: readonly string[],
  mergeItems: MergeItems,
): ListNode {
  let wanted = distinctValues([patch, target], keys);
  if (keys.length > 1) wanted = completed(wanted);
  const added = list();
  let validKeys: readonly string[] = keys;
  for (const values of wanted) {
    const valid = validPairs(wanted, values, keys);
    validKeys = valid.map(([key]) => key);
    const own = validPairs(
      [valid.map(([, value]) => value)],
      valid.map(([, value]) => value),
      validKeys,
    );
    const item = mergeItems(itemWith(target, own), patch && itemWith(patch, own));
    const isGone = isMissing(item) || (item.kind === 'map' && item.fields.size === 0);
    if (isGone) setItem(target, valid, undefined);
    else {
      for (const [key, value] of valid) {
        if (item.kind === 'map' && !item.fields.has(key) && value !== '') item.fields.set(key, scalar(value));
      }
      setItem(added, valid, item);
    }
  }
  if (wanted.length === 0) return target;
  for (const item of target.items) appendItem(added, item, validKeys);
  return added;
}

/** Likewise, of plain values. */
export function mergeValueList(target: ListNode, patch: ListNode | undefined): ListNode {
  const items = new Map<string, YamlNode>();
  for (const item of [...(patch?.items ?? []), ...target.items]) {
    if (!isMissing(item) && !items.has(textOf(item))) items.set(textOf(item), item);
  }
  return list([...items.values()]);
}

type Pair = readonly [key: string, value: string];

const valuesOf = (item: YamlNode, keys: readonly string[]): string[] =>
  keys.map((key) => {
    const value = fieldOf(item, key);
    return isEmpty(value) ? '' : textOf(value);
  });

/** The keys' values of all items, each once. */
function distinctValues(lists: readonly (ListNode | undefined)[], keys: readonly string[]): string[][] {
  const seen = new Map<string, string[]>();
  for (const one of lists) {
    for (const item of one?.items ?? []) {
      const values = valuesOf(item, keys);
      seen.set(JSON.stringify(values), seen.get(JSON.stringify(values)) ?? values);
    }
  }
  return [...seen.values()];
}

/** Values that agree where both say something say together what one of them leaves out. */
function completed(all: readonly string[][]): string[][] {
  const result = [...all];
  for (let at = 0; at < result.length; at++) {
    for (let with_ = 0; with_ < result.length; with_++) {
      const joined = joinedValues(result[at] ?? [], result[with_] ?? []);
      if (joined) [result[at], result[with_]] = [joined, joined];
    }
  }
  return result;
}

function joinedValues(one: readonly string[], other: readonly string[]): string[] | undefined {
  const agree = one.some((value, at) => value === other[at]);
  const differ = one.some((value, at) => value !== other[at] && value !== '' && other[at] !== '');
  return agree && !differ ? one.map((value, at) => (value !== '' ? value : (other[at] ?? ''))) : undefined;
}

/** The keys that any item has, with the values of one; all where no item has any. */
function validPairs(
  all: readonly (readonly string[])[],
  values: readonly string[],
  keys: readonly string[],
): Pair[] {
  const isUsed = keys.map((_key, at) => all.some((one) => (one[at] ?? '') !== ''));
  const pairs = keys.map((key, at): Pair => [key, values[at] ?? '']);
  return isUsed.includes(true) ? pairs.filter((_pair, at) => isUsed[at]) : pairs;
}

/** The first item with exactly these values. */
const itemWith = ({ items }: ListNode, pairs: readonly Pair[]): YamlNode | undefined =>
  items.find((item) =>
    pairs.every(([key, value]) => {
      const held = fieldOf(item, key);
      return held !== undefined && textOf(held) === value;
    }),
  );

/** Puts an item where those with these values are, or at the end; undefined takes them away. An empty value is any. */
function setItem(into: ListNode, pairs: readonly Pair[], item: YamlNode | undefined): void {
  let isThere = false;
  const isSame = (other: YamlNode) =>
    pairs.every(([key, value]) => {
      const held = fieldOf(other, key);
      return held !== undefined && (value === '' || textOf(held) === value);
    });
  into.items = into.items.flatMap((other) => {
    if (isMissing(other) || (other.kind === 'map' && other.fields.size === 0)) return [];
    if (other.kind !== 'map' || !isSame(other)) return [other];
    isThere = true;
    return item === undefined ? [] : [item];
  });
  if (!isThere && !isMissing(item)) into.items.push(item);
}

/** Appends an item of the target, in place of the one with its keys that is there. */
function appendItem(into: ListNode, item: YamlNode, keys: readonly string[]): void {
  const pairs: Pair[] = [];
  for (const key of keys) {
    const value = fieldOf(item, key);
    if (value === undefined) into.items.push(item);
    else pairs.push([key, textOf(value)]);
  }
  // What has none of the keys takes the place of all before it, as upstream: no server would take it anyway.
  if (pairs.length === 0) {
    into.items = [item];
    return;
  }
  if (keys.length > 1) setItem(into, pairs, undefined);
  setItem(into, pairs, item);
}
