/** Field sets, merging and removal, all along the schema (structured-merge-diff, typed). */
import { isJsonObject, type JsonObject, type JsonValue, ownValue, setOwn } from '../json/json-value.ts';
import { childNode, isNamedField, type Node, partsOf } from './node.ts';
import { PathSet } from './path-set.ts';

/** A part of a value with its path element. */
export type Part = [element: string, part: JsonValue];

const isEmptyObject = (value: JsonValue) => isJsonObject(value) && Object.keys(value).length === 0;

/** The paths that a value sets. */
export function fieldSetOf(value: JsonValue, node: Node): PathSet {
  const set = new PathSet();
  addFields(value, node, [], set);
  return set;
}

function addFields(value: JsonValue, node: Node, path: string[], set: PathSet): void {
  const parts = partsOf(value, node);
  if (parts === undefined) {
    set.insert(path);
    return;
  }
  const isList = node.kind === 'keyed' || node.kind === 'set';
  const repeated = isList ? repeatedIn(parts) : undefined;
  for (const [element, part] of parts) {
    const partPath = [...path, element];
    if (!repeated?.has(element)) addFields(part, childNode(node, element), partPath, set);
    if (isList || part === null || isEmptyObject(part) || !isNamedField(node, element)) set.insert(partPath);
  }
}

/** Elements that stand in a list more than once: what they have is nobody's apart. Undefined where there are none. */
export function repeatedIn(parts: readonly Part[]): Set<string> | undefined {
  const seen = new Set<string>();
  let repeated: Set<string> | undefined;
  for (const [element] of parts) {
    if (seen.has(element)) {
      repeated ??= new Set();
      repeated.add(element);
    } else seen.add(element);
  }
  return repeated;
}

/** `config` laid over `live`: what both have merges by the schema, the order of lists is the config's. */
export function mergeValues(
  live: JsonValue | undefined,
  config: JsonValue | undefined,
  node: Node,
): JsonValue {
  if (config === undefined) return live!;
  if (live === undefined || live === null) return config;
  const left = partsOf(live, node);
  // Nothing said of something that has parts leaves them alone.
  if (config === null && left && left.length > 0) return live;
  const right = partsOf(config, node);
  if (!left || !right || right.length === 0)
    return right?.length === 0 && left && left.length > 0 ? live : config;
  if (node.kind === 'struct' || node.kind === 'map' || node.kind === 'any')
    return mergeObjects(live as JsonObject, new Map(right), node);
  return mergeLists(left, right, node);
}

function mergeObjects(live: JsonObject, config: Map<string, JsonValue>, node: Node): JsonObject {
  const result: JsonObject = { ...live };
  for (const [element, part] of config) {
    const name = element.slice(2);
    const before = ownValue(live, name);
    setOwn(result, name, mergeValues(before, part, childNode(node, element)));
  }
  return result;
}

function mergeLists(left: Part[], right: Part[], node: Node): JsonValue[] {
  const liveParts = new Map(left);
  // Of items of one key none is the one that the configuration tells of: it replaces them.
  for (const element of repeatedIn(left) ?? []) liveParts.set(element, null);
  const configParts = new Map(right);
  const merged = (element: string) =>
    mergeValues(liveParts.get(element), configParts.get(element), childNode(node, element));
  const shared = right.map(([element]) => element).filter((element) => liveParts.has(element));
  const result: JsonValue[] = [];
  const done = new Set<string>();
  let [leftAt, rightAt, sharedAt] = [0, 0, 0];
  const takeRight = () => {
    const [element] = right[rightAt++]!;
    done.add(element);
    result.push(merged(element));
    if (shared[sharedAt] === element) sharedAt++;
  };
  while (leftAt < left.length || rightAt < right.length) {
    const [element, part] = left[leftAt] ?? [];
    if (element !== undefined && right[rightAt]?.[0] === element) {
      leftAt++;
      takeRight();
    } else if (element !== undefined && !configParts.has(element)) {
      result.push(part!);
      leftAt++;
    } else if (
      element !== undefined &&
      (done.has(element) || (rightAt < right.length && shared[sharedAt] !== element))
    ) {
      leftAt++;
    } else takeRight();
  }
  return result;
}

/** The value without the paths of the set; undefined when nothing is left. Parts that lost everything become null (structured-merge-diff 6.3.3, of Kubernetes 1.36.6; 6.3.2 left them empty). */
export function removePaths(value: JsonValue, node: Node, set: PathSet): JsonValue | undefined {
  const parts = partsOf(value, node);
  if (set.isEmpty || parts?.length === 0) return value;
  if (parts === undefined) return typeof value === 'object' ? undefined : value;
  const left: Part[] = [];
  for (const [element, part] of parts) {
    if (set.members.has(element)) continue;
    const below = set.children.get(element);
    const rest =
      below && !below.isEmpty ? (removePaths(part, childNode(node, element), below) ?? null) : part;
    left.push([element, rest]);
  }
  if (left.length === 0) return undefined;
  if (Array.isArray(value)) return left.map(([, part]) => part);
  return Object.fromEntries(left.map(([element, part]) => [element.slice(2), part]));
}

/** The set with every named field on the way to its paths as a path of its own. */
export function withNamedFields(set: PathSet, node: Node): PathSet {
  const result = new PathSet();
  for (const member of set.members) result.addMember(member);
  for (const [element, child] of set.children) {
    if (isNamedField(node, element)) result.addMember(element);
    result.setChild(element, withNamedFields(child, childNode(node, element)));
  }
  return result;
}
