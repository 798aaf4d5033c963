import { findResource } from '@wherry/kubeapi/objects';
import type { KubeObject, ResourceType } from './objects.ts';

/** The resource at that place of the schema, as objects of type `T`. Throws when the schema has no such resource. */
export function resourceType<T extends KubeObject>(
  group: string,
  version: string,
  plural: string,
): ResourceType<T> {
  const found = findResource(group, version, plural);
  if (!found) throw new RangeError(`the schema has no resource ${plural} in "${group}/${version}"`);
  return found;
}
