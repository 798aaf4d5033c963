import { type KubeClient, kinds } from '@wherry/client';
import type { ResourceV1ResourceClaim } from '@wherry/kubeapi';
import { isReservedFor, strangersDeviceClaim } from '@wherry/podrules';
import type { AssignedPod } from '../../pod/assigned-pod.ts';
import type { PodClaim } from './claim-uses.ts';
import type { PreparedClaim } from './prepared-claim.ts';

/**
 * Reads a claim as it is now, with the drivers of its devices. Throws, in upstream's words, where the pod may not have it:
 * it was made for another pod, is not reserved for this one, or has no devices.
 */
export async function readClaim(
  client: KubeClient,
  { pod, claim: { name, isMade }, signal }: { pod: AssignedPod; claim: PodClaim; signal: AbortSignal },
): Promise<PreparedClaim> {
  const { namespace } = pod.metadata;
  const claim = await found(client, { name, namespace, signal });
  const { uid = '' } = claim.metadata;
  const stranger = isMade ? strangersDeviceClaim(pod, claim) : undefined;
  if (stranger) throw new Error(stranger);
  if (!isReservedFor(pod, claim))
    throw new Error(
      `pod ${pod.metadata.name} (${pod.metadata.uid}) is not allowed to use ResourceClaim ${name} (${uid})`,
    );
  const { allocation } = claim.status ?? {};
  if (!allocation) throw new Error(`ResourceClaim ${name}: not allocated`);
  const drivers = (allocation.devices?.results ?? []).map(({ driver }) => driver);
  return { uid, name, namespace, pods: new Set(), devices: new Map(drivers.map((driver) => [driver, []])) };
}

async function found(
  client: KubeClient,
  { name, namespace, signal }: { name: string; namespace: string; signal: AbortSignal },
): Promise<ResourceV1ResourceClaim> {
  try {
    return await client.resource(kinds.resourceClaims).get({ name, namespace, signal });
  } catch (error) {
    throw new Error(`fetch ResourceClaim ${name}: ${(error as Error).message}`, { cause: error });
  }
}
