/** Which object is meant: its kind, name and namespace. */
import { type Gvk, gvkText, isClusterScoped, isSelected, sameGvk } from './gvk.ts';

export interface ObjectId extends Gvk {
  name: string;
  namespace: string;
}

const noNamespace = '_non_namespaceable_';

/** The namespace that counts: `default` where none is said, and one of its own for what is in none. */
export function effectiveNamespace(id: ObjectId): string {
  if (isClusterScoped(id)) return noNamespace;
  return id.namespace === '' ? 'default' : id.namespace;
}

export const isSameNamespace = (one: ObjectId, other: ObjectId): boolean =>
  effectiveNamespace(one) === effectiveNamespace(other);

/** The same kind and name, wherever. */
export const isSameName = (one: ObjectId, other: ObjectId): boolean =>
  one.name === other.name && sameGvk(one, other);

export const sameId = (one: ObjectId, other: ObjectId): boolean =>
  isSameName(one, other) && isSameNamespace(one, other);

/** True where every part that the selector says is the object's. */
export const isSelectedById = (id: ObjectId, selector: ObjectId): boolean =>
  (selector.name === '' || selector.name === id.name) &&
  (selector.namespace === '' || isSameNamespace(selector, id)) &&
  isSelected(id, selector);

/** `Deployment.v1.apps/web.[noNs]`, as messages have it. */
export const idText = (id: ObjectId): string =>
  `${gvkText(id)}/${id.name || '[noName]'}.${id.namespace || '[noNs]'}`;
