import { type KubeClient, kinds } from '@wherry/client';
import {
  type AllocationResult,
  type Pod,
  type ResourceV1ResourceClaim,
  timeFromMs,
} from '@wherry/kubeapi/objects';
import { deviceClaimFinalizer, isReservedFor, usersWith } from '@wherry/podrules';
import { againOnConflict } from '../../machinery/again-on-conflict.ts';
import { claimText } from './device-choice.ts';

interface Write {
  client: KubeClient;
  pod: Pod;
  /** What the claim gets; undefined where it has its devices. */
  allocation: AllocationResult | undefined;
  nowMs: number;
  signal: AbortSignal;
}

/** Writes into a claim what it gets, and that the pod may use it. */
export async function bindClaim(
  seen: ResourceV1ResourceClaim,
  { client, pod, allocation, nowMs, signal }: Write,
): Promise<ResourceV1ResourceClaim> {
  const resource = client.resource(kinds.resourceClaims);
  const { name = '', namespace, uid } = seen.metadata;
  const text = claimText(seen);
  const attempt = async (known: ResourceV1ResourceClaim) => {
    if (known.metadata.deletionTimestamp || known.metadata.uid !== uid)
      throw new Error(`claim ${text} got deleted in the meantime`);
    if (allocation && known.status?.allocation)
      throw new Error(`claim ${text} got allocated elsewhere in the meantime`);
    if (!allocation && !known.status?.allocation)
      throw new Error(`claim ${text} got deallocated elsewhere in the meantime`);
    if (isReservedFor(pod, known)) return known;
    const finalizers = known.metadata.finalizers ?? [];
    const claim =
      !allocation || finalizers.includes(deviceClaimFinalizer)
        ? known
        : await resource.update(
            { ...known, metadata: { ...known.metadata, finalizers: [...finalizers, deviceClaimFinalizer] } },
            { signal },
          );
    const given = { allocationTimestamp: timeFromMs(nowMs), ...(allocation ?? claim.status?.allocation) };
    const status = { ...claim.status, allocation: given, reservedFor: usersWith(pod, claim) };
    return resource.update({ ...claim, status }, { subresource: 'status', signal });
  };
  return againOnConflict(async (number) =>
    attempt(number === 1 ? seen : await resource.get({ name, namespace, signal })),
  );
}

/** Takes the pod out of a claim again. */
export async function unreserve(
  client: KubeClient,
  { metadata }: ResourceV1ResourceClaim,
  pod: Pod,
): Promise<void> {
  const { name = '', namespace, uid } = metadata;
  const reservedFor = [{ $patch: 'delete', uid: pod.metadata.uid }];
  const patch = { metadata: { uid }, status: { reservedFor } };
  await client
    .resource(kinds.resourceClaims)
    .patch({ name, namespace, subresource: 'status', type: 'strategic', patch });
}

/** Takes a claim's devices from it, that it may get others. */
export async function deallocate(
  client: KubeClient,
  claim: ResourceV1ResourceClaim,
  signal: AbortSignal,
): Promise<void> {
  await client
    .resource(kinds.resourceClaims)
    .update({ ...claim, status: {} }, { subresource: 'status', signal });
}
