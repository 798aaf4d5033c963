/** What becomes of a written object before it is checked (upstream: PrepareForCreate and PrepareForUpdate of a kind's strategy). */
import { isDeepStrictEqual } from 'node:util';
import { type ObjectType, ownValue } from '@wherry/kubeapi';
import type { UserInfo } from '../authentication/identity.ts';
import type { ApiObject } from '../objects/api-object.ts';
import { keepAllButStatus, keepMetadata } from '../objects/status-fields.ts';
import type { ServedResource } from '../objects/strategy.ts';

/** The generation of a new object, in place. */
export function stampGeneration(metadata: ApiObject['metadata'], { strategy }: ServedResource): void {
  const { desired, isBornWithoutGeneration = false } = strategy;
  if (desired && !isBornWithoutGeneration) metadata.generation = 1;
  // What nobody counts is what its writer says, as upstream.
  else if (!metadata.generation) delete metadata.generation;
}

/** Takes from a new object what its writer may not set, in place. Answers what he is warned of. */
export function prepareNew(
  object: ApiObject,
  { strategy, facts, type }: ServedResource,
  { user, nowText }: { user: UserInfo; nowText: string },
): string[] {
  const warnings = strategy.modernize?.(object) ?? [];
  const hasStatus = hasStatusOf(facts);
  if (strategy.prepareCreate) strategy.prepareCreate(object, user, nowText);
  else if (hasStatus) delete object.status;
  if (object.status === undefined && type.schema !== undefined && hasStatus) setEmptyStatus(object, type);
  return warnings;
}

/** Takes back what an update may not change, in place, and counts its generation: `stored` is `previous` as it is stored. */
export function prepareChange(
  next: ApiObject,
  previous: ApiObject,
  { strategy, facts }: ServedResource,
  { subresource, nowText, stored }: { subresource: string; nowText: string; stored: ApiObject },
): void {
  const prepareOther = ownValue(strategy.prepareSubresourceUpdate, subresource);
  if (prepareOther) prepareOther(next, previous, nowText);
  else if (subresource === 'status') {
    if (strategy.prepareStatusUpdate) strategy.prepareStatusUpdate(next, previous, nowText);
    else keepAllButStatus(next, previous);
    keepMetadata(next, previous, strategy.statusKeeps);
  } else if (strategy.prepareUpdate) strategy.prepareUpdate(next, previous, nowText);
  else if (hasStatusOf(facts)) keepStatus(next, previous);
  const { desired } = strategy;
  const isNew = desired !== undefined && !isDeepStrictEqual(desired(next), desired(stored));
  if (subresource !== 'status' && isNew) next.metadata.generation = (stored.metadata.generation ?? 0) + 1;
}

function hasStatusOf({ subresources }: ServedResource['facts']): boolean {
  return subresources?.some(({ name }) => name === 'status') === true;
}

/** As the type prints a status of which nothing is known yet: clients look into it without asking whether it is there. */
function setEmptyStatus(object: ApiObject, type: ObjectType): void {
  const { status } = type.read({}).object;
  if (status !== undefined) object.status = status as NonNullable<ApiObject['status']>;
}

function keepStatus(next: ApiObject, previous: ApiObject): void {
  if (previous.status === undefined) delete next.status;
  else next.status = previous.status;
}
