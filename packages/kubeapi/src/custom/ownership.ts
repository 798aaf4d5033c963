/** How a schema cuts custom resources into parts that can be owned apart (upstream: managedfields' type converter). */
import { leaf, messageNode, type Node } from '../apply/node.ts';
import { messageSchema } from '../schema/schema.ts';
import type { StructuralSchema } from './structural-schema.ts';

const any: Node = { kind: 'any' };

/** The node of whole objects, also of those that stand in others. */
export function rootNode(schema: StructuralSchema, own = nodeOf(schema)): Node {
  const metadata = messageNode(messageSchema('ObjectMeta'));
  const inner = (name: string) => (own.kind === 'struct' ? own.fieldOf(name) : undefined);
  const fieldOf = (name: string) => (name === 'metadata' ? metadata : inner(name));
  return { kind: 'struct', fieldOf, rest: schema.preservesUnknown ? any : leaf };
}

function nodeOf(schema: StructuralSchema): Node {
  const { additional, items, listType, properties, preservesUnknown } = schema;
  if (schema.isAtomic) return leaf;
  if (schema.isEmbedded) return rootNode(schema, structNode(schema));
  if (items) return listType === 'atomic' ? leaf : listType === 'set' ? { kind: 'set' } : keyedNode(schema);
  if (properties.size > 0) return structNode(schema);
  if (typeof additional === 'object') return { kind: 'map', element: nodeOf(additional) };
  return preservesUnknown || additional === true ? any : leaf;
}

function structNode({ properties, preservesUnknown }: StructuralSchema): Node {
  const nodes = new Map([...properties].map(([name, schema]) => [name, nodeOf(schema)]));
  return { kind: 'struct', fieldOf: (name) => nodes.get(name), rest: preservesUnknown ? any : leaf };
}

function keyedNode({ items, listMapKeys }: StructuralSchema): Node {
  const keys = listMapKeys.map((name) => ({ name, defaultValue: items?.properties.get(name)?.defaultValue }));
  return { kind: 'keyed', keys, element: nodeOf(items!) };
}
