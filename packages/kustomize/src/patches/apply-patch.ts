/** Applies patches to objects, which keep their kind, name and namespace unless the patch may change them. */
import { applyJsonPatch, isJsonObject, type JsonValue, PatchError } from '@wherry/kubeapi';
import { KustomizeError } from '../errors.ts';
import { merge } from '../merge/merge.ts';
import type { Resource } from '../model/resource.ts';
import { map } from '../yaml/node.ts';
import { fromJson, toJson } from '../yaml/to-json.ts';

/** Merges a patch into an object, which may be gone then. Parts of the patch end up in the object. */
export function applyStrategic(resource: Resource, patch: Resource): void {
  const { name, namespace, kind } = resource;
  if (patch.mayChangeName || patch.mayChangeKind) resource.keepName();
  // `$patch: replace` of a whole object has no effect, as upstream.
  if (merge(resource.node, patch.node) === undefined) resource.node = map();
  if (resource.isGone) return;
  if (!patch.mayChangeKind) resource.setKind(kind);
  if (!patch.mayChangeName) resource.setName(name);
  resource.setNamespace(namespace);
}

/** Merges a copy of a patch into an object that a selector has chosen. */
export function applySelected(resource: Resource, patch: Resource): void {
  const copy = patch.copy();
  const { kind } = copy;
  copy.setTexts('labels', copy.texts('labels'));
  copy.setTexts('annotations', copy.texts('annotations'));
  copy.setGvk(resource.gvk);
  copy.setKind(kind);
  applyStrategic(resource, copy);
}

/** Throws KustomizeError where an operation does not apply. */
export function applyOperations(resource: Resource, operations: JsonValue[]): void {
  try {
    const patched = applyJsonPatch(toJson(resource.node), operations);
    if (!isJsonObject(patched)) throw new KustomizeError('a JSON patch must leave an object');
    resource.node = fromJson(patched);
  } catch (error) {
    if (error instanceof PatchError) throw new KustomizeError(error.message, { cause: error });
    throw error;
  }
}
