/** How the schema cuts an object into parts that can be owned apart. */
import { isJsonObject, type JsonObject, type JsonValue, ownValue, setOwn } from '../json-value.ts';
import { PatchError } from '../patch/patch-error.ts';
import { type FieldSchema, type MessageSchema, messageSchema } from '../schema.ts';

/** A place in the schema: owned as a whole, or by its fields, keys, items. */
export type Node =
  | { kind: 'leaf' }
  | { kind: 'struct'; schema: MessageSchema }
  | { kind: 'map'; element: Node }
  | { kind: 'keyed'; field: FieldSchema; element: Node }
  | { kind: 'set' };

const leaf: Node = { kind: 'leaf' };
const nodes = new WeakMap<FieldSchema, Node>();

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
    return field.listType === 'map' ? { kind: 'keyed', field, element: elementNode(field) } : leaf;
  }
  return field.shape === 'map' ? { kind: 'map', element: elementNode(field) } : elementNode(field);
}

function elementNode({ message }: FieldSchema): Node {
  if (message === undefined) return leaf;
  const schema = messageSchema(message);
  return schema.atomic ? leaf : { kind: 'struct', schema };
}

/** The node below an element of a path. */
export function childNode(node: Node, element: string): Node {
  if (node.kind === 'struct') {
    const field = node.schema.jsonFields.get(element.slice(2));
    return field ? nodeOf(field) : leaf;
  }
  return node.kind === 'map' || node.kind === 'keyed' ? node.element : leaf;
}

/** True for the fields of a struct, as opposed to keys of a map. */
export function isNamedField(node: Node, element: string): boolean {
  return node.kind === 'struct' && element.startsWith('f:') && node.schema.jsonFields.has(element.slice(2));
}

/** The parts of a value with their path elements; undefined when it is owned as a whole. */
export function partsOf(
  value: JsonValue | undefined,
  node: Node,
): [element: string, part: JsonValue][] | undefined {
  if (node.kind === 'leaf') return undefined;
  if (node.kind === 'struct' || node.kind === 'map') {
    if (!isJsonObject(value)) return [];
    return Object.entries(value).map(([name, part]) => [`f:${name}`, part]);
  }
  if (!Array.isArray(value)) return [];
  if (node.kind === 'set') return value.map((item) => [`v:${JSON.stringify(item)}`, item]);
  return value.map((item) => [keyElement(item, node.field), item]);
}

/** `k:{"name":"a"}`; keys that have a default may be left out of the item. */
function keyElement(item: JsonValue, field: FieldSchema): string {
  const { jsonFields } = messageSchema(field.message!);
  const keys: JsonObject = {};
  let isAnyGiven = false;
  for (const name of [...field.listMapKeys].sort()) {
    const given = isJsonObject(item) ? ownValue(item, name) : undefined;
    isAnyGiven ||= given !== undefined;
    const value = given ?? jsonFields.get(name)?.defaultValue;
    if (value !== undefined && value !== null) setOwn(keys, name, value);
  }
  if (isAnyGiven) return `k:${JSON.stringify(keys)}`;
  const names = field.listMapKeys.join(', ');
  throw new PatchError('rejected', `items of ${field.name} need the keys by which they merge: ${names}`);
}
