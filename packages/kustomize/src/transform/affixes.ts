/** Prefixes and suffixes of names. */

import { KustomizeError } from '../errors.ts';
import type { FieldSpec } from '../model/field-spec.ts';
import { isSelected } from '../model/gvk.ts';
import type { ResourceList } from '../model/resource-list.ts';
import { become, scalar, type YamlNode } from '../yaml/node.ts';
import { atFields } from './at-fields.ts';

/** Kinds whose names stay. */
const untouched = [
  { kind: 'CustomResourceDefinition' },
  { group: 'apiregistration.k8s.io', kind: 'APIService' },
  { kind: 'Namespace' },
];

export interface Affix {
  side: 'prefix' | 'suffix';
  text: string;
  fieldSpecs: readonly FieldSpec[];
}

export function addAffix(resources: ResourceList, { side, text, fieldSpecs }: Affix): void {
  const change = (node: YamlNode) => {
    if (node.kind !== 'scalar') throw new KustomizeError('wrong node kind: expected ScalarNode');
    const made = side === 'prefix' ? `${text}${node.text}` : `${node.text}${text}`;
    become(node, { ...scalar(made), isQuoted: node.isQuoted });
  };
  for (const resource of resources.items) {
    const original = resource.originalId;
    if (untouched.some((selector) => isSelected(original, selector))) continue;
    for (const spec of fieldSpecs) {
      if (!isSelected(original, spec)) continue;
      if (spec.path === 'metadata/name' && text !== '') {
        (side === 'prefix' ? resource.prefixes : resource.suffixes).push(text);
        resource.keepName();
      }
      atFields(resource, [spec], change, 'scalar');
    }
  }
}
