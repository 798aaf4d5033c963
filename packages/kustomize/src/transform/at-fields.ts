/** Does something at the fields of an object that a spec names; what is missing is made where the spec says so. */

import { KustomizeError, within } from '../errors.ts';
import { type FieldSpec, splitPath } from '../model/field-spec.ts';
import { isSelected } from '../model/gvk.ts';
import { idText } from '../model/object-id.ts';
import type { Resource } from '../model/resource.ts';
import { become, isNull, list, map, scalar, type YamlNode } from '../yaml/node.ts';

/** What is made where a field is missing. */
export type Made = 'scalar' | 'map';

/** Throws KustomizeError where the path leads through something else than maps and lists. */
export function atFields(
  resource: Resource,
  specs: readonly FieldSpec[],
  change: (node: YamlNode) => void,
  made?: Made,
): void {
  for (const spec of specs) {
    if (!isSelected(resource.gvk, spec)) continue;
    within(`considering field '${spec.path}' of object ${idText(resource.id)}`, () =>
      walk(resource.node, splitPath(spec.path, '/'), { change, made: spec.create ? made : undefined }),
    );
  }
}

interface Walk {
  change: (node: YamlNode) => void;
  made: Made | undefined;
}

function walk(node: YamlNode, path: readonly string[], how: Walk): void {
  const [step, ...rest] = path;
  if (step === undefined) how.change(node);
  if (step === undefined || isNull(node)) return;
  if (node.kind === 'scalar') throw new KustomizeError('expected sequence or mapping node');
  if (node.kind === 'list') {
    for (const item of node.items) walk(item, path, how);
    return;
  }
  const isList = step.endsWith('[]');
  const name = isList ? step.slice(0, -2) : step;
  if (name === '') throw new KustomizeError('cannot set or create an empty field name');
  const made = how.made === undefined ? undefined : rest.length > 0 ? 'map' : how.made;
  const field = node.fields.get(name) ?? (isList || made === undefined ? undefined : fresh(made));
  if (field === undefined) return;
  node.fields.set(name, field);
  if (isNull(field)) {
    if (isList) become(field, list());
    else if (made !== undefined) become(field, fresh(made));
  }
  walk(field, rest, how);
}

const fresh = (made: Made): YamlNode => (made === 'map' ? map() : scalar(''));
