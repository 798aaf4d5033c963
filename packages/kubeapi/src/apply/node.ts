/** How the schema cuts an object into parts that can be owned apart. */
import { exactJson } from '../json/exact-json.ts';
import { isJsonObject, type JsonObject, type JsonValue, ownValue, setOwn } from '../json/json-value.ts';
import { zeroOf } from '../schema/conform.ts';
import { type FieldSchema, type MessageSchema, messageSchema } from '../schema/schema.ts';
import { PathSet } from './path-set.ts';

/** A place in the schema: owned as a whole, or by its fields, keys, items. */
export type Node =
  | { kind: 'leaf' }
  /** Without a schema: objects are owned by their fields, anything else as a whole. */
  | { kind: 'any' }
  /** `rest` is what fields are that it does not name. */
  | { kind: 'struct'; fieldOf(name: string): Node | undefined; rest?: Node }
  | { kind: 'map'; element: Node }
  | { kind: 'keyed'; keys: readonly MergeKey[]; element: Node }
  | { kind: 'set' };

/** A field whose value names an item among its list's. */
export interface MergeKey {
  name: string;
  /** What an absent one stands for. */
  defaultValue: JsonValue | undefined;
}

/** What is owned as a whole. */
export const leaf: Node = { kind: 'leaf' };
const nodes = new WeakMap<FieldSchema, Node>();

/** The node of a whole message. */
export function messageNode({ jsonFields }: MessageSchema): Node {
  const fieldOf = (name: string) => {
    const field = jsonFields.get(name);
    return field && nodeOf(field);
  };
  return { kind: 'struct', fieldOf };
}

/** The node of a field's value. Lists without a stated type are owned as a whole. */
export function nodeOf(field: FieldSchema): Node {
  let node = nodes.get(field);
  if (!node) {
    node = buildNode(field);
    nodes.set(field, node);
  }
  return node;
}

function buildNode(field: FieldSchema): Node {
  if (field.atomic || field.listType === 'atomic') return leaf;
  if (field.shape === 'list') {
    if (field.listType === 'set') return { kind: 'set' };
    return field.listType === 'map' ? keyedNode(field) : leaf;
  }
  return field.shape === 'map' ? { kind: 'map', element: elementNode(field) } : elementNode(field);
}

function keyedNode(field: FieldSchema): Node {
  const { jsonFields } = messageSchema(field.message!);
  const keys = field.listMapKeys.map((name) => ({ name, defaultValue: defaultOf(jsonFields.get(name)) }));
  return { kind: 'keyed', keys, element: elementNode(field) };
}

/** What has to be there is empty where nobody says it, as upstream's schemas have it. */
function defaultOf(field: FieldSchema | undefined): JsonValue | undefined {
  return field && (field.defaultValue ?? zeroOf(field));
}

function elementNode({ message, granular }: FieldSchema): Node {
  if (message === undefined) return leaf;
  const schema = messageSchema(message);
  return (schema.atomic && !granular) || schema.alternative ? leaf : messageNode(schema);
}

/** The node below an element of a path. */
export function childNode(node: Node, element: string): Node {
  if (node.kind === 'struct') return node.fieldOf(element.slice(2)) ?? node.rest ?? leaf;
  if (node.kind === 'any') return node;
  return node.kind === 'map' || node.kind === 'keyed' ? node.element : leaf;
}

/** The node below an element of a path; undefined where the schema tells nothing of it. */
export function knownChild(node: Node, element: string): Node | undefined {
  if (node.kind === 'any') return undefined;
  return node.kind === 'struct' ? (node.fieldOf(element.slice(2)) ?? node.rest) : childNode(node, element);
}

/** True for the fields of a struct, as opposed to keys of a map. */
export function isNamedField(node: Node, element: string): boolean {
  return node.kind === 'struct' && element.startsWith('f:') && node.fieldOf(element.slice(2)) !== undefined;
}

/** The parts of a value with their path elements; undefined when it is owned as a whole. */
export function partsOf(
  value: JsonValue | undefined,
  node: Node,
): [element: string, part: JsonValue][] | undefined {
  if (node.kind === 'leaf') return undefined;
  if (node.kind === 'any' && !isJsonObject(value)) return undefined;
  if (node.kind === 'any' || node.kind === 'struct' || node.kind === 'map') {
    if (!isJsonObject(value)) return [];
    return Object.entries(value).map(([name, part]) => [`f:${name}`, part]);
  }
  if (!Array.isArray(value)) return [];
  if (node.kind === 'set') return value.map((item) => [`v:${exactJson(item)}`, item]);
  return value.map((item) => [keyElement(item, node), item]);
}

/** The one of {@link partsOf} that is a field of this name, or an item of this index; undefined when there is none. */
export function partAt(
  value: JsonValue | undefined,
  node: Node,
  place: string | number,
): [element: string, part: JsonValue] | undefined {
  if (typeof place === 'string') {
    const part = node.kind !== 'leaf' && isJsonObject(value) ? ownValue(value, place) : undefined;
    return part === undefined ? undefined : [`f:${place}`, part];
  }
  if (!Array.isArray(value) || place >= value.length) return undefined;
  return partsOf([value[place]!], node)?.[0];
}

/** `k:{"name":"a"}`; keys that have a default may be left out, and where others are missing validation says so. */
function keyElement(item: JsonValue, { keys: mergeKeys }: Node & { kind: 'keyed' }): string {
  const keys: JsonObject = {};
  for (const { name, defaultValue } of mergeKeys.toSorted(byName)) {
    const value = (isJsonObject(item) ? ownValue(item, name) : undefined) ?? defaultValue;
    if (value !== undefined && value !== null) setOwn(keys, name, value);
  }
  return `k:${exactJson(keys)}`;
}

const byName = (left: MergeKey, right: MergeKey) => (left.name < right.name ? -1 : 1);

/** The set as the schema is now: who has had parts of what is owned as a whole has the whole (structured-merge-diff, reconcile_schema.go). */
export function settled(set: PathSet, node: Node): PathSet {
  const result = new PathSet();
  for (const member of set.members) result.addMember(member);
  for (const [element, child] of set.children) {
    const known = knownChild(node, element);
    if (known?.kind === 'leaf') result.addMember(element);
    else result.setChild(element, known ? settled(child, known) : child);
  }
  return result;
}
