import {
  controllerOf,
  controllerReference,
  type KubeClient,
  type KubeObject,
  type ResourceType,
} from '@wherry/client';
import { hasReason, type LabelMatcher } from '@wherry/kubeapi/objects';

/** Who wants which objects. */
export interface ClaimOptions<T extends KubeObject> {
  client: KubeClient;
  owner: KubeObject;
  ownerType: ResourceType;
  /** Of the objects. */
  type: ResourceType<T>;
  matcher: LabelMatcher;
  /** Which of the orphans that match may be adopted. Default: all. */
  mayAdopt?(object: T): boolean;
  /** Comes and goes with the reference. */
  finalizer?: string;
  /** Told of each object as the server answered it. */
  wrote?(object: T): void;
  signal: AbortSignal;
}

/**
 * Those of `objects` that are the owner's: the ones it controls and selects, and orphans that it adopts; what it controls
 * and selects no longer is let go. Before the first adoption the server is asked whether the owner is still that one and
 * not being deleted (upstream: controller_ref_manager.go).
 */
export async function claim<T extends KubeObject>(
  objects: readonly T[],
  options: ClaimOptions<T>,
): Promise<T[]> {
  const { owner, matcher, mayAdopt = () => true } = options;
  const isGoing = owner.metadata?.deletionTimestamp !== undefined;
  const claimed: T[] = [];
  let mayAsk: Promise<void> | undefined;
  for (const object of objects) {
    const isSelected = matcher.matches(object.metadata?.labels) && mayAdopt(object);
    const controller = controllerOf(object);
    if (controller) {
      if (controller.uid !== owner.metadata?.uid) continue;
      if (isSelected) claimed.push(object);
      else if (!isGoing) await release(object, options);
    } else if (isSelected && !isGoing && !object.metadata?.deletionTimestamp) {
      mayAsk ??= mustStillBe(options);
      await mayAsk;
      const adopted = await adopt(object, options);
      if (adopted) claimed.push(adopted);
    }
  }
  return claimed;
}

async function mustStillBe<T extends KubeObject>({ client, owner, ownerType, signal }: ClaimOptions<T>) {
  const { name = '', namespace, uid } = owner.metadata ?? {};
  const { metadata } = await client.resource(ownerType).get({ name, namespace, signal });
  if (metadata?.uid !== uid)
    throw new Error(
      `original ${ownerType.kind} ${namespace}/${name} is gone: got uid ${metadata?.uid}, wanted ${uid}`,
    );
  if (metadata?.deletionTimestamp)
    throw new Error(`${namespace}/${name} has just been deleted at ${metadata.deletionTimestamp}`);
}

async function adopt<T extends KubeObject>(object: T, options: ClaimOptions<T>): Promise<T | undefined> {
  const { owner, ownerType, finalizer } = options;
  return patch(object, options, {
    uid: object.metadata?.uid,
    ownerReferences: [controllerReference(ownerType, owner)],
    ...(finalizer ? { finalizers: [finalizer] } : {}),
  });
}

async function release<T extends KubeObject>(object: T, options: ClaimOptions<T>): Promise<void> {
  const { owner, finalizer } = options;
  await patch(object, options, {
    uid: object.metadata?.uid,
    ownerReferences: [{ $patch: 'delete', uid: owner.metadata?.uid }],
    ...(finalizer ? { '$deleteFromPrimitiveList/finalizers': [finalizer] } : {}),
  });
}

/** The changed object; undefined when it is gone, or another one has its name by now. */
async function patch<T extends KubeObject>(
  object: T,
  { client, type, wrote, signal }: ClaimOptions<T>,
  metadata: object,
): Promise<T | undefined> {
  const { name = '', namespace } = object.metadata ?? {};
  try {
    const options = { name, namespace, type: 'strategic', patch: { metadata }, signal } as const;
    const changed = await client.resource(type).patch(options);
    wrote?.(changed);
    return changed;
  } catch (error) {
    if (hasReason(error, 'NotFound') || hasReason(error, 'Invalid')) return undefined;
    throw error;
  }
}
