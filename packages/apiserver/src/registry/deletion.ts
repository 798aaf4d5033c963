import type { DeleteOptions, GroupVersionKind } from '@wherry/kubeapi';
import { conflict, timeFromMs } from '@wherry/kubeapi';
import type { ApiObject } from '../objects/api-object.ts';
import type { Change } from '../objects/object-storage.ts';
import type { Strategy } from '../objects/strategy.ts';

/** Finalizers that stand for a propagation policy; the garbage collector takes them off. */
export const propagationFinalizers = { orphan: 'orphan', foreground: 'foregroundDeletion' } as const;

/** Throws 409 where the object is not the one that is meant, or has changed since. */
export function checkDeletable(
  { metadata }: ApiObject,
  { preconditions }: DeleteOptions,
  { group, kind }: Pick<GroupVersionKind, 'group' | 'kind'>,
): void {
  const { uid, resourceVersion } = preconditions ?? {};
  const refuse = (why: string) => conflict({ group, resource: kind }, metadata.name ?? '', why);
  if (uid !== undefined && uid !== metadata.uid)
    throw refuse(
      `the UID in the precondition (${uid}) does not match the UID in record (${metadata.uid}). The object might have been deleted and then recreated`,
    );
  if (resourceVersion !== undefined && resourceVersion !== metadata.resourceVersion)
    throw refuse(
      `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${metadata.resourceVersion}). The object might have been modified`,
    );
}

/** What a DELETE turns `object` into (upstream: registry/rest BeforeDelete). `nowMs` is wall-clock time. */
export function deletionOf(
  object: ApiObject,
  options: DeleteOptions,
  { strategy, nowMs }: { strategy: Strategy; nowMs: number },
): Change {
  setPropagation(object, options, strategy);
  if (!isBeingDeleted(object)) addFinalizers(object, strategy.finalizersOnDeletion ?? []);
  const grace = strategy.gracePeriodSeconds?.(object, options.gracePeriodSeconds);
  return isBeingDeleted(object)
    ? hastened(object, grace, options, strategy)
    : begun(object, grace, { strategy, nowMs });
}

/** True once DELETE was called and something still keeps the object. */
export function isBeingDeleted(object: ApiObject): boolean {
  return object.metadata.deletionTimestamp !== undefined;
}

/** True when a change leaves a deleted object with nothing that keeps it. */
export function isReadyToGo(object: ApiObject, strategy: Strategy): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0 } = object.metadata;
  return deletionTimestamp !== undefined && deletionGracePeriodSeconds === 0 && !isKept(object, strategy);
}

function begun(
  object: ApiObject,
  grace: number | undefined,
  { strategy, nowMs }: { strategy: Strategy; nowMs: number },
): Change {
  const seconds = grace ?? 0;
  const isGone = seconds === 0 && !isKept(object, strategy);
  if (isGone && grace === undefined) return { remove: object };
  const { metadata } = object;
  metadata.deletionTimestamp = timeFromMs(nowMs + seconds * 1000);
  if (!strategy.marksAlone) {
    metadata.deletionGracePeriodSeconds = seconds;
    if (metadata.generation) metadata.generation += 1;
  }
  // Whoever deletes what could have been given time, and whoever watches it, sees that it got none, as upstream.
  if (isGone) return { remove: object, isToldBefore: true };
  strategy.prepareDelete?.(object);
  return { next: object };
}

/** A repeated DELETE may only shorten the grace. */
function hastened(
  object: ApiObject,
  grace: number | undefined,
  options: DeleteOptions,
  strategy: Strategy,
): Change {
  const { metadata } = object;
  const left = metadata.deletionGracePeriodSeconds ?? 0;
  const isShorter = options.gracePeriodSeconds !== undefined && grace !== undefined && grace < left;
  if (isShorter || grace === 0) {
    const deadlineMs = Date.parse(metadata.deletionTimestamp ?? '') - (left - grace) * 1000;
    metadata.deletionTimestamp = timeFromMs(deadlineMs);
    metadata.deletionGracePeriodSeconds = grace;
  }
  const isDue = (metadata.deletionGracePeriodSeconds ?? 0) === 0;
  return isDue && !isKept(object, strategy) ? { remove: object } : { next: object };
}

function isKept(object: ApiObject, strategy: Strategy): boolean {
  return (object.metadata.finalizers ?? []).length > 0 || strategy.isHeldBack?.(object) === true;
}

function addFinalizers({ metadata }: ApiObject, names: readonly string[]): void {
  const { finalizers = [] } = metadata;
  const missing = names.filter((name) => !finalizers.includes(name));
  if (missing.length > 0) metadata.finalizers = [...finalizers, ...missing];
}

function setPropagation(object: ApiObject, options: DeleteOptions, strategy: Strategy): void {
  const policy = policyOf(options, strategy, object);
  if (policy === undefined) return;
  const { orphan, foreground } = propagationFinalizers;
  const others = (object.metadata.finalizers ?? []).filter((name) => name !== orphan && name !== foreground);
  if (policy === 'Orphan') others.push(orphan);
  if (policy === 'Foreground') others.push(foreground);
  if (others.length > 0) object.metadata.finalizers = others;
  else delete object.metadata.finalizers;
}

function policyOf(options: DeleteOptions, strategy: Strategy, object: ApiObject): string | undefined {
  if (options.propagationPolicy) return options.propagationPolicy;
  if (options.orphanDependents !== undefined) return options.orphanDependents ? 'Orphan' : 'Background';
  const finalizers = object.metadata.finalizers ?? [];
  const isDecided = Object.values(propagationFinalizers).some((name) => finalizers.includes(name));
  return strategy.orphansByDefault && !isDecided ? 'Orphan' : undefined;
}
