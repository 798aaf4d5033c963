/** How two objects differ, along the schema (structured-merge-diff, typed/compare.go). */
import { isJsonObject, type JsonValue, jsonEqual, ownValue } from '../json/json-value.ts';
import { childNode, type Node, partsOf } from './node.ts';
import { PathSet } from './path-set.ts';
import { type Part, repeatedIn } from './walk.ts';

/** What became of each path; but for items of a list that stand there twice, none is in more than one of the sets. */
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
  const [was, is] = [partsOf(before, node) ?? [], partsOf(after, node) ?? []];
  const [leftParts, rightParts] = [new Map(was), new Map(is)];
  const repeated = new Set([...(repeatedIn(was) ?? []), ...(repeatedIn(is) ?? [])]);
  const [left, right] = [was, is].map((parts) => itemsOf(parts, repeated)) as [ItemsOf, ItemsOf];
  for (const element of repeated)
    compareRepeated(element, { was: left.get(element) ?? [], is: right.get(element) ?? [], node, into });
  for (const [element, left] of leftParts) {
    if (!rightParts.has(element) && !repeated.has(element)) comparePart(element, left, undefined, node, into);
  }
  for (const [element, right] of rightParts) {
    if (repeated.has(element)) continue;
    const left = leftParts.get(element);
    if (left === undefined || !jsonEqual(left, right)) comparePart(element, left, right, node, into);
  }
}

type ItemsOf = ReadonlyMap<string, JsonValue[]>;

/** Of these elements all items, in order. */
function itemsOf(parts: readonly Part[], elements: ReadonlySet<string>): ItemsOf {
  const items = new Map<string, JsonValue[]>();
  for (const [element, part] of elements.size > 0 ? parts : []) {
    if (!elements.has(element)) continue;
    const known = items.get(element);
    if (known) known.push(part);
    else items.set(element, [part]);
  }
  return items;
}

/** The items of one key on both sides. */
interface ComparedItems {
  was: JsonValue[];
  is: JsonValue[];
  node: Node;
  into: Comparison;
}

/** Items of one key are one thing as long as there are several; what is left of them alone is new, or was there before. */
function compareRepeated(element: string, { was, is, node, into }: ComparedItems): void {
  if (was.length > 1 && is.length > 1) {
    if (!jsonEqual(was, is)) into.modified.addMember(element);
    return;
  }
  const isGone = was.length > 1;
  const [only] = isGone ? is : was;
  if (only !== undefined && isGone) comparePart(element, undefined, only, node, into);
  else if (only !== undefined) comparePart(element, only, undefined, node, into);
  into[isGone ? 'removed' : 'added'].addMember(element);
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
  const isChanged = before !== undefined && after !== undefined;
  if (node.kind === 'leaf' || (isWithoutParts(before, node) && isWithoutParts(after, node))) {
    if (isChanged) into.modified.addMember(element);
    return;
  }
  // What became an object, or was one, is another value, and has got, or lost, its fields.
  if (isChanged && node.kind === 'any' && (isPlain(before) || isPlain(after)))
    into.modified.addMember(element);
  const inner = { removed: new PathSet(), modified: new PathSet(), added: new PathSet() };
  compareParts(before, after, node, inner);
  for (const what of ['removed', 'modified', 'added'] as const)
    if (!inner[what].isEmpty) into[what].setChild(element, inner[what]);
}

const isPlain = (value: JsonValue) => value !== null && !isJsonObject(value);

function isWithoutParts(value: JsonValue | undefined, node: Node): boolean {
  if (node.kind === 'leaf') return true;
  if (node.kind === 'keyed' || node.kind === 'set') return !Array.isArray(value) || value.length === 0;
  return !isJsonObject(value) || Object.keys(value).length === 0;
}
