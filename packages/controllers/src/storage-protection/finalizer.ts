import type { KubeClient, KubeObject, ResourceType } from '@wherry/client';

/** A finalizer that stays on objects of one kind as long as something uses them. */
export interface Protection<T extends KubeObject> {
  client: KubeClient;
  type: ResourceType<T>;
  finalizer: string;
  isUsed(object: T): boolean | Promise<boolean>;
}

/** Puts the finalizer where it is missing, and takes it off what is being deleted and used by nobody. */
export async function protect<T extends KubeObject>(
  { client, type, finalizer, isUsed }: Protection<T>,
  object: T,
  signal: AbortSignal,
): Promise<void> {
  const present = object.metadata?.finalizers ?? [];
  const isThere = present.includes(finalizer);
  const isGoing = object.metadata?.deletionTimestamp !== undefined;
  if (isThere !== isGoing || (isGoing && (await isUsed(object)))) return;
  const finalizers = isGoing ? present.filter((name) => name !== finalizer) : [...present, finalizer];
  await client.resource(type).update({ ...object, metadata: { ...object.metadata, finalizers } }, { signal });
}
