import { invalid, type ObjectType } from '@wherry/kubeapi';
import type { ApiObject } from '../objects/api-object.ts';

/** Throws 422 with every violation of a new object. */
export function checkNew(object: ApiObject, type: ObjectType): void {
  const errors = type.checkNew(object);
  if (errors.length > 0) throw invalid(type.gvk, object.metadata.name ?? '', errors);
}

/** Throws 422 with every violation of a changed object. */
export function checkUpdate(
  next: ApiObject,
  previous: ApiObject,
  { type, subresource }: { type: ObjectType; subresource: string },
): void {
  const errors = type.checkChange(next, previous, subresource);
  if (errors.length > 0) throw invalid(type.gvk, next.metadata.name ?? '', errors);
}
