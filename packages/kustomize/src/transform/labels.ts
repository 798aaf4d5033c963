/** Labels and annotations at the fields that hold them, selectors included. */

import { KustomizeError } from '../errors.ts';
import type { FieldSpec } from '../model/field-spec.ts';
import type { ResourceList } from '../model/resource-list.ts';
import { text, type YamlNode } from '../yaml/node.ts';
import { atFields } from './at-fields.ts';

export function setPairs(
  resources: ResourceList,
  pairs: Readonly<Record<string, string>>,
  specs: readonly FieldSpec[],
): void {
  const entries = Object.entries(pairs);
  for (const resource of resources.items) {
    for (const [key, value] of entries) atFields(resource, specs, (node) => setPair(node, key, value), 'map');
  }
}

function setPair(node: YamlNode, key: string, value: string): void {
  if (node.kind !== 'map')
    throw new KustomizeError(`wrong node kind: expected MappingNode but got ${nodeKind(node)}`);
  const held = node.fields.get(key);
  const made = text(value);
  node.fields.set(key, held?.kind === 'scalar' ? { ...made, isQuoted: held.isQuoted } : made);
}

const nodeKind = ({ kind }: YamlNode) => (kind === 'list' ? 'SequenceNode' : 'ScalarNode');
