import { type KubeClient, kinds } from '@wherry/client';
import type { PersistentVolume, PersistentVolumeClaim } from '@wherry/kubeapi';
import { strangersClaim } from '@wherry/podrules';
import type { AssignedPod } from '../../pod/assigned-pod.ts';

/** A claim as a pod names it. */
export interface ClaimName {
  claimName: string;
  /** It must have been made for this pod. */
  isEphemeral: boolean;
}

/** It can't be said which volume a claim stands for. */
export class ClaimError extends Error {
  override readonly name = 'ClaimError';
}

/**
 * The volume that a pod's claim is bound to. Throws {@link ClaimError}, in upstream's words, while it is bound to none, and when the two do
 * not name each other.
 */
export async function claimedVolume(
  client: KubeClient,
  pod: AssignedPod,
  { claimName: name, isEphemeral, signal }: ClaimName & { signal: AbortSignal },
): Promise<PersistentVolume> {
  const { namespace } = pod.metadata;
  const fail = (why: string, cause?: unknown) =>
    new ClaimError(`error processing PVC ${namespace}/${name}: ${why}`, { cause });
  let claim: PersistentVolumeClaim;
  try {
    claim = await client.resource(kinds.persistentVolumeClaims).get({ name, namespace, signal });
  } catch (error) {
    throw fail(`failed to fetch PVC from API server: ${(error as Error).message}`, error);
  }
  const why = unusable(claim);
  if (why !== undefined) throw fail(why);
  const stranger = isEphemeral ? strangersClaim(pod, claim) : undefined;
  if (stranger !== undefined) throw new ClaimError(stranger);
  const volumeName = claim.spec.volumeName ?? '';
  const volume = await client
    .resource(kinds.persistentVolumes)
    .get({ name: volumeName, signal })
    .catch((error: Error) => {
      throw fail(`failed to fetch PV ${volumeName} from API server: ${error.message}`, error);
    });
  const { claimRef } = volume.spec;
  const found = `found PV object ${volumeName} but`;
  if (!claimRef)
    throw fail(`${found} it has a nil pv.Spec.ClaimRef indicating it is not yet bound to the claim`);
  const { uid } = claim.metadata;
  if (claimRef.uid !== uid)
    throw fail(`${found} its pv.Spec.ClaimRef.UID ${claimRef.uid ?? ''} does not point to claim.UID ${uid}`);
  return volume;
}

function unusable({ metadata, status, spec }: PersistentVolumeClaim): string | undefined {
  const isGuarded = metadata.finalizers?.includes('kubernetes.io/pvc-protection');
  if (metadata.deletionTimestamp && !isGuarded) return 'PVC is being deleted';
  if (status?.phase !== 'Bound') return 'PVC is not bound';
  return spec.volumeName ? undefined : 'PVC has empty pvc.Spec.VolumeName';
}
