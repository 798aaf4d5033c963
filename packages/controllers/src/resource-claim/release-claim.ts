import { type KubeClient, kinds } from '@wherry/client';
import type { Pod, ResourceClaimConsumerReference, ResourceV1ResourceClaim } from '@wherry/kubeapi/objects';
import { hasReason } from '@wherry/kubeapi/objects';
import { deviceClaimFinalizer, isFinished } from '@wherry/podrules';
import { owningPod } from './claim-from-template.ts';

interface Known {
  client: KubeClient;
  pods: ReadonlyMap<string, Pod>;
  signal: AbortSignal;
}

/** Takes pods out of a claim that will not run any more; what nobody uses then is free, and goes if it was made for a pod. */
export async function releaseClaim(claim: ResourceV1ResourceClaim, known: Known): Promise<void> {
  const users = claim.status?.reservedFor ?? [];
  const namespace = claim.metadata.namespace ?? '';
  const remaining: ResourceClaimConsumerReference[] = [];
  for (const user of users) if (await isStillUsed(user, namespace, known)) remaining.push(user);
  const isProtected = claim.metadata.finalizers?.includes(deviceClaimFinalizer) ?? false;
  const isGoing = claim.metadata.deletionTimestamp !== undefined;
  if (remaining.length < users.length) {
    const isFree = remaining.length === 0 && isProtected;
    const written = await writeStatus(claim, { reservedFor: remaining, isFree }, known);
    if (isProtected && !written.status?.allocation) await unprotect(written, known);
  } else if (isProtected && isGoing && remaining.length === 0) {
    const written = claim.status?.allocation
      ? await writeStatus(claim, { reservedFor: [], isFree: true }, known)
      : claim;
    await unprotect(written, known);
  }
  if (remaining.length === 0 && !isGoing) await removeUnused(claim, known);
}

async function isStillUsed(
  { apiGroup = '', resource, name, uid }: ResourceClaimConsumerReference,
  namespace: string,
  { client, pods, signal }: Known,
): Promise<boolean> {
  // Who else may use it only its own controller knows.
  if (apiGroup !== '' || resource !== 'pods') return true;
  const pod = pods.get(`${namespace}/${name}`) ?? (await readPod(client, { name, namespace, signal }));
  return pod?.metadata.uid === uid && !isDone(pod);
}

async function readPod(
  client: KubeClient,
  { name, namespace, signal }: { name: string; namespace: string; signal: AbortSignal },
): Promise<Pod | undefined> {
  try {
    return await client.resource(kinds.pods).get({ name, namespace, signal });
  } catch (error) {
    if (hasReason(error, 'NotFound')) return undefined;
    throw error;
  }
}

const isDone = (pod: Pod): boolean =>
  isFinished(pod) || (pod.metadata.deletionTimestamp !== undefined && !pod.spec?.nodeName);

async function writeStatus(
  claim: ResourceV1ResourceClaim,
  { reservedFor, isFree }: { reservedFor: ResourceClaimConsumerReference[]; isFree: boolean },
  { client, signal }: Known,
): Promise<ResourceV1ResourceClaim> {
  const { allocation, devices, ...status } = claim.status ?? {};
  const kept = isFree ? {} : { ...(allocation ? { allocation } : {}), ...(devices ? { devices } : {}) };
  const next = { ...claim, status: { ...status, ...kept, reservedFor } };
  return client.resource(kinds.resourceClaims).update(next, { subresource: 'status', signal });
}

async function unprotect(claim: ResourceV1ResourceClaim, { client, signal }: Known): Promise<void> {
  const finalizers = (claim.metadata.finalizers ?? []).filter((name) => name !== deviceClaimFinalizer);
  await client
    .resource(kinds.resourceClaims)
    .update({ ...claim, metadata: { ...claim.metadata, finalizers } }, { signal });
}

async function removeUnused(
  { metadata, ...claim }: ResourceV1ResourceClaim,
  { client, pods, signal }: Known,
): Promise<void> {
  const owner = owningPod({ metadata, ...claim });
  const pod = owner && pods.get(`${metadata.namespace}/${owner.name}`);
  // Without its pod the garbage collector sees to it.
  if (!owner || !pod || (pod.metadata.uid === owner.uid && !isDone(pod))) return;
  const { name = '', namespace, uid } = metadata;
  await client
    .resource(kinds.resourceClaims)
    .delete({ name, namespace }, { preconditions: uid === undefined ? {} : { uid }, signal });
}
