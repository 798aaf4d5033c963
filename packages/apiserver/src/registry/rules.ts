import {
  applyDefaults,
  type GroupVersionKind,
  invalid,
  type Pod,
  schemaOfKind,
  validateCreate,
  validateEphemeralContainersUpdate,
  validateMetadataUpdate,
  validatePodSpec,
  validateUpdate,
} from '@wherry/kubeapi';
import { type ApiObject, as } from './api-object.ts';

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

/** Throws 422 with every violation of a pod that a sub-resource of its own has changed beyond what updates may. */
export function checkPodSubresource(next: ApiObject, previous: ApiObject, gvk: GroupVersionKind): void {
  const errors = [
    ...validateMetadataUpdate(next.metadata, previous.metadata),
    ...validatePodSpec(as<Pod>(next).spec, 'spec'),
    ...validateEphemeralContainersUpdate(as<Pod>(next), as<Pod>(previous)),
  ];
  if (errors.length > 0) throw invalid(gvk, next.metadata.name ?? '', errors);
}

/** Throws 422 with every violation of a changed object. */
export function checkUpdate(next: ApiObject, previous: ApiObject, gvk: GroupVersionKind): void {
  const errors = validateUpdate(gvk, next, previous);
  if (errors.length > 0) throw invalid(gvk, next.metadata.name ?? '', errors);
}
