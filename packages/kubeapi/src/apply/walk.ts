/** Field sets, comparison, merging and removal, all along the schema (structured-merge-diff, typed). */
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  jsonEqual,
  ownValue,
  setOwn,
} from '../json/json-value.ts';
import { childNode, isNamedField, type Node, partsOf } from './node.ts';
import { PathSet } from './path-set.ts';

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
  for (const [element, part] of parts) {
    const partPath = [...path, element];
    addFields(part, childNode(node, element), partPath, set);
    if (isList || part === null || isEmptyObject(part) || !isNamedField(node, element)) set.insert(partPath);
  }
}

/** What became of each path; none is in more than one of the sets. */
export interface Comparison {
  removed: PathSet;
  modified: PathSet;
  added: PathSet;
}

/** How `after` differs from `before`. */
export function compare(before: JsonValue | undefined, after: JsonValue | undefined, node: Node): Comparison {
  const result = { removed: new PathSet(), modified: new PathSet(), added: new PathSet() };
  compareParts(before, after, node, result);
  return result;
}

function compareParts(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  node: Node,
  into: Comparison,
): void {
  if (node.kind === 'keyed' || node.kind === 'set') compareItems(before, after, node, into);
  else if (node.kind !== 'leaf') compareFields(before, after, node, into);
}

/** What is the same on both sides, as most fields are in most writes, is passed by. */
function compareFields(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  node: Node,
  into: Comparison,
): void {
  const left = isJsonObject(before) ? before : {};
  const right = isJsonObject(after) ? after : {};
  for (const [name, was] of Object.entries(left))
    if (!Object.hasOwn(right, name)) comparePart(`f:${name}`, was, undefined, node, into);
  for (const [name, is] of Object.entries(right)) {
    const was = ownValue(left, name);
    if (was !== undefined && jsonEqual(was, is)) continue;
    comparePart(`f:${name}`, was, is, node, into);
  }
}

function compareItems(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  node: Node,
  into: Comparison,
): void {
  const leftParts = new Map(partsOf(before, node));
  const rightParts = new Map(partsOf(after, node));
  for (const [element, left] of leftParts) {
    if (!rightParts.has(element)) comparePart(element, left, undefined, node, into);
  }
  for (const [element, right] of rightParts) {
    const left = leftParts.get(element);
    if (left === undefined || !jsonEqual(left, right)) comparePart(element, left, right, node, into);
  }
}

/** Of what differs. */
function comparePart(
  element: string,
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  parent: Node,
  into: Comparison,
): void {
  if (before === undefined) into.added.addMember(element);
  else if (after === undefined) into.removed.addMember(element);
  const node = childNode(parent, element);
  const isLeaf = node.kind === 'leaf' || (node.kind === 'any' && (isPlain(before) || isPlain(after)));
  if (isLeaf || (isWithoutParts(before, node) && isWithoutParts(after, node))) {
    if (before !== undefined && after !== undefined) into.modified.addMember(element);
    return;
  }
  const inner = { removed: new PathSet(), modified: new PathSet(), added: new PathSet() };
  compareParts(before, after, node, inner);
  for (const what of ['removed', 'modified', 'added'] as const)
    if (!inner[what].isEmpty) into[what].setChild(element, inner[what]);
}

const isPlain = (value: JsonValue | undefined) => value !== undefined && !isJsonObject(value);

function isWithoutParts(value: JsonValue | undefined, node: Node): boolean {
  if (node.kind === 'leaf') return true;
  if (node.kind === 'keyed' || node.kind === 'set') return !Array.isArray(value) || value.length === 0;
  return !isJsonObject(value) || Object.keys(value).length === 0;
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

type Part = [element: string, part: JsonValue];

function mergeLists(left: Part[], right: Part[], node: Node): JsonValue[] {
  const liveParts = new Map(left);
  const configParts = new Map(right);
  const merged = (element: string) =>
    mergeValues(liveParts.get(element), configParts.get(element), childNode(node, element));
  const shared = right.map(([element]) => element).filter((element) => liveParts.has(element));
  const result: JsonValue[] = [];
  const done = new Set<string>();
  let [leftAt, rightAt] = [0, 0];
  const takeRight = () => {
    const [element] = right[rightAt++]!;
    done.add(element);
    result.push(merged(element));
    if (shared[0] === element) shared.shift();
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
      (done.has(element) || (rightAt < right.length && shared[0] !== element))
    ) {
      leftAt++;
    } else takeRight();
  }
  return result;
}

/** The value without the paths of the set; undefined when nothing is left. Parts that lost everything become null. */
export function removePaths(value: JsonValue, node: Node, set: PathSet): JsonValue | undefined {
  const parts = partsOf(value, node);
  if (set.isEmpty || parts?.length === 0) return value;
  if (parts === undefined) return undefined;
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
