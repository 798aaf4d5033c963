import { formatApiVersion, type OwnerReference } from '@wherry/kubeapi/objects';
import type { KubeObject, ResourceType } from '../objects/objects.ts';

/** The one owner that manages an object, if there is one. */
export function controllerOf({ metadata }: KubeObject): OwnerReference | undefined {
  return metadata?.ownerReferences?.find(({ controller }) => controller);
}

/** A reference to the object that manages another one, as the other one carries it. */
export function controllerReference(type: ResourceType, { metadata }: KubeObject): OwnerReference {
  return {
    apiVersion: formatApiVersion(type.group, type.version),
    kind: type.kind,
    name: metadata?.name ?? '',
    uid: metadata?.uid ?? '',
    controller: true,
    blockOwnerDeletion: true,
  };
}

/** Whether a reference is to that object: by kind, group and uid. */
export function refersTo(
  { apiVersion, kind, uid }: OwnerReference,
  type: ResourceType,
  owner: KubeObject,
): boolean {
  return (
    kind === type.kind &&
    apiVersion.split('/').at(-2) === (type.group || undefined) &&
    uid === owner.metadata?.uid
  );
}
