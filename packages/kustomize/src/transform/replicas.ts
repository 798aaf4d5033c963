/** How many replicas what has a name is to have. */

import { KustomizeError } from '../errors.ts';
import type { FieldSpec } from '../model/field-spec.ts';
import { gvkText, isSelected } from '../model/gvk.ts';
import type { ResourceList } from '../model/resource-list.ts';
import { become } from '../yaml/node.ts';
import { atFields } from './at-fields.ts';

/** Throws KustomizeError where nothing of the name is of a kind that has replicas. */
export function setReplicas(
  resources: ResourceList,
  { name = '', count = 0 }: { name?: string; count?: number },
  fieldSpecs: readonly FieldSpec[],
): void {
  let isFound = false;
  for (const spec of fieldSpecs) {
    for (const resource of resources.withAnyId((id) => id.name === name && isSelected(id, spec))) {
      isFound = true;
      const change = (node: Parameters<typeof become>[0]) =>
        become(node, { kind: 'scalar', text: String(count), tag: '!!int', isQuoted: false });
      atFields(resource, [spec], change, 'scalar');
    }
  }
  if (isFound) return;
  const kinds = fieldSpecs.map(gvkText).join(' ');
  throw new KustomizeError(
    `resource with name ${name} does not match a config with the following GVK [${kinds}]`,
  );
}
