import { type KubeClient, kinds } from '@wherry/client';
import { hasReason, type Pod, type ResourceV1ResourceClaim } from '@wherry/kubeapi/objects';
import { deviceClaimFinalizer } from '@wherry/podrules';
import { againOnConflict } from '../../../machinery/again-on-conflict.ts';
import type { ExtendedClaim } from './extended-claim.ts';

/** Makes the claim; it has no devices yet. */
export async function createExtendedClaim(
  client: KubeClient,
  { claim: { metadata, ...claim } }: ExtendedClaim,
  signal: AbortSignal,
): Promise<ResourceV1ResourceClaim> {
  const { name: _name, uid: _uid, ...named } = metadata;
  return client.resource(kinds.resourceClaims).create({ ...claim, metadata: named }, { signal });
}

/** Says in the pod's status which claim its containers have their extended resources of; undefined: of none. */
export async function tellExtendedClaim(
  client: KubeClient,
  { metadata: { name = '', namespace, uid } }: Pod,
  status: NonNullable<Pod['status']>['extendedResourceClaimStatus'] | undefined,
  signal?: AbortSignal,
): Promise<void> {
  const patch = { metadata: { uid }, status: { extendedResourceClaimStatus: status ?? null } };
  const options = { name, namespace, subresource: 'status', type: 'merge' as const, patch };
  await client.resource(kinds.pods).patch({ ...options, ...(signal ? { signal } : {}) });
}

/** Deletes the claim of an attempt that failed, with its devices, and takes it out of the pod's status. */
export async function discardExtendedClaim(
  client: KubeClient,
  pod: Pod,
  claim: ResourceV1ResourceClaim,
): Promise<void> {
  try {
    await deleteClaim(client, claim);
  } catch (error) {
    if (!hasReason(error, 'NotFound')) throw error;
  }
  try {
    await tellExtendedClaim(client, pod, undefined);
  } catch (error) {
    if (!hasReason(error, 'NotFound')) throw error;
  }
}

async function deleteClaim(client: KubeClient, claim: ResourceV1ResourceClaim): Promise<void> {
  const resource = client.resource(kinds.resourceClaims);
  const { name = '', namespace, uid = '' } = claim.metadata;
  await againOnConflict(async (number) => {
    const known = number === 1 ? claim : await resource.get({ name, namespace });
    if (known.metadata.uid !== uid) return;
    const finalizers = known.metadata.finalizers ?? [];
    if (!finalizers.includes(deviceClaimFinalizer)) return;
    const left = finalizers.filter((each) => each !== deviceClaimFinalizer);
    await resource.update({ ...known, metadata: { ...known.metadata, finalizers: left } });
  });
  await resource.delete({ name, namespace }, { preconditions: { uid } });
}
