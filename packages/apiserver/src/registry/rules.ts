import {
  applyDefaults,
  type GroupVersionKind,
  invalid,
  schemaOfKind,
  validateCreate,
  validateUpdate,
} from '@wherry/kubeapi';
import type { ApiObject } from './api-object.ts';

/** Fills in what the kind's schema prescribes for absent fields. */
export function setDefaults(object: ApiObject, gvk: GroupVersionKind): void {
  const schema = schemaOfKind(gvk);
  if (schema) applyDefaults(object, schema);
}

/** Throws 422 with every violation of a new object. */
export function checkNew(object: ApiObject, gvk: GroupVersionKind): void {
  const errors = validateCreate(gvk, object);
  if (errors.length > 0) throw invalid(gvk, object.metadata.name ?? '', errors);
}

/** Throws 422 with every violation of a changed object. */
export function checkUpdate(
  next: ApiObject,
  previous: ApiObject,
  { gvk, subresource }: { gvk: GroupVersionKind; subresource: string },
): void {
  const errors = validateUpdate(gvk, next, previous, subresource);
  if (errors.length > 0) throw invalid(gvk, next.metadata.name ?? '', errors);
}
