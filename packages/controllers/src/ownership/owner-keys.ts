import { controllerOf, type KubeObject, keyOf, type ResourceType, refersTo } from '@wherry/client';
import type { LabelMatcher } from '@wherry/kubeapi/objects';
import type { Change } from '../machinery/controller-definition.ts';
import type { InformerHandle } from '../watching/shared-informers.ts';

/** Owners of one kind, and whom each selects. */
export interface Owners<T extends KubeObject> {
  type: ResourceType<T>;
  objects: InformerHandle<T>['objects'];
  matcherOf(owner: T): LabelMatcher;
}

/**
 * The keys of those whom a change of an object concerns: its controller and its former one, or, when it has none, all who
 * might adopt it.
 */
export function ownerKeys<T extends KubeObject>(
  owners: Owners<T>,
  object: KubeObject,
  change: Change,
  previous?: KubeObject,
): string[] {
  const current = ownerKey(owners, object);
  const former = previous && ownerKey(owners, previous);
  const keys = [current, former].filter((key) => key !== undefined);
  if (controllerOf(object) || change === 'deleted') return keys;
  return [...keys, ...adopterKeys(owners, object)];
}

function ownerKey<T extends KubeObject>(
  { type, objects }: Owners<T>,
  object: KubeObject,
): string | undefined {
  const reference = controllerOf(object);
  if (!reference) return undefined;
  const key = keyOf({ metadata: { name: reference.name, namespace: object.metadata?.namespace ?? '' } });
  const owner = objects.get(key);
  return owner && refersTo(reference, type, owner) ? key : undefined;
}

function adopterKeys<T extends KubeObject>(
  { objects, matcherOf }: Owners<T>,
  { metadata }: KubeObject,
): string[] {
  const isAdopter = (owner: T) =>
    owner.metadata?.namespace === metadata?.namespace && matcherOf(owner).matches(metadata?.labels);
  return [...objects.values()].filter(isAdopter).map(keyOf);
}
