import { isDeepStrictEqual } from 'node:util';
import { controllerReference, type KubeClient, kinds } from '@wherry/client';
import { aggregateText } from '@wherry/kubeapi';
import {
  hasReason,
  type OwnerReference,
  type PersistentVolumeClaim,
  type Pod,
  type StatefulSet,
} from '@wherry/kubeapi/objects';
import type { EventRecorder } from '../machinery/events.ts';
import { messageOf } from '../ownership/pod-writes.ts';
import type { InformerHandle } from '../watching/shared-informers.ts';
import { claimsOf, firstOrdinal, ordinalOf } from './identity.ts';

interface Parts {
  client: KubeClient;
  recorder: EventRecorder;
  claims: InformerHandle<PersistentVolumeClaim>;
}

function retentionOf({ spec }: StatefulSet): { whenDeleted: string; whenScaled: string } {
  return { whenDeleted: 'Retain', whenScaled: 'Retain', ...spec.persistentVolumeClaimRetentionPolicy };
}

/** Whether a claim is somebody else's, so that the set's policy is not for it (upstream: hasUnexpectedController). */
function isForeign(owners: readonly OwnerReference[], set: StatefulSet): boolean {
  const { whenDeleted, whenScaled } = retentionOf(set);
  if (whenDeleted === 'Retain' && whenScaled === 'Retain') return false;
  return owners.some(({ controller }) => controller);
}

/**
 * The owners that a claim of a set should have: who goes takes it along (upstream: updateClaimOwnerRefForSetAndPod).
 * Unchanged when it belongs to an earlier set or pod of that name, which is still to be collected.
 */
export function claimOwners(
  claim: PersistentVolumeClaim,
  set: StatefulSet,
  pod: Pod,
): { owners: OwnerReference[]; isForeign: boolean } {
  const known = claim.metadata.ownerReferences ?? [];
  const ours = [controllerReference(kinds.statefulSets, set), controllerReference(kinds.pods, pod)] as const;
  const isNamed = (reference: OwnerReference) =>
    ours.some(
      ({ apiVersion, kind, name }) =>
        apiVersion === reference.apiVersion && kind === reference.kind && name === reference.name,
    );
  if (known.some((each) => isNamed(each) && !ours.some(({ uid }) => uid === each.uid)))
    return { owners: known, isForeign: false };
  const others = known.filter((each) => !isNamed(each));
  if (isForeign(others, set)) return { owners: others, isForeign: true };
  const { whenDeleted, whenScaled } = retentionOf(set);
  const first = firstOrdinal(set);
  const ordinal = ordinalOf(set, pod) ?? -1;
  const isCondemned = ordinal < first || ordinal >= first + (set.spec.replicas ?? 1);
  const owner = whenScaled === 'Delete' && isCondemned ? ours[1] : whenDeleted === 'Delete' && ours[0];
  return { owners: owner ? [...others, owner] : others, isForeign: false };
}

/** Whether the collector deletes the claim since its pod is gone (upstream: PodClaimIsStale). */
function goesWithPod({ metadata }: PersistentVolumeClaim, set: StatefulSet, ordinal: number): boolean {
  if (retentionOf(set).whenScaled !== 'Delete') return false;
  const podName = `${set.metadata.name}-${ordinal}`;
  return (metadata.ownerReferences ?? []).some(
    ({ apiVersion, kind, name }) => apiVersion === 'v1' && kind === 'Pod' && name === podName,
  );
}

/** Makes the claims of a set's pods, and says who takes them along. */
export class StatefulClaims {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Whether a pod that is not there yet has to wait: a claim that goes with the one before it must be gone first. */
  mustGoFirst(set: StatefulSet, ordinal: number): boolean {
    return claimsOf(set, ordinal).some((claim) => {
      const known = this.#known(claim);
      return known !== undefined && goesWithPod(known, set, ordinal);
    });
  }

  /** Creates what a pod still needs. Throws what kept it from some: one that is being deleted must be gone first. */
  async create(set: StatefulSet, ordinal: number, signal: AbortSignal): Promise<void> {
    const failures: string[] = [];
    for (const claim of claimsOf(set, ordinal)) {
      const { name = '' } = claim.metadata;
      const known = this.#known(claim);
      if (known?.metadata.deletionTimestamp) failures.push(`pvc ${name} is being deleted`);
      else if (!known) {
        const failure = await this.#create(set, claim, ordinal, signal);
        if (failure !== undefined) failures.push(`failed to create PVC ${name}: ${failure}`);
      }
    }
    if (failures.length > 0) throw new Error(aggregateText(failures));
  }

  /** Brings the owners of a pod's claims to what the retention policy says; answers whether one of them changed. */
  async retain(set: StatefulSet, pod: Pod, signal: AbortSignal): Promise<boolean> {
    let isChanged = false;
    for (const wanted of claimsOf(set, ordinalOf(set, pod) ?? -1)) {
      const claim = this.#known(wanted);
      if (!claim) continue;
      const { name = '' } = claim.metadata;
      const { owners, isForeign } = claimOwners(claim, set, pod);
      if (isDeepStrictEqual(owners, claim.metadata.ownerReferences ?? [])) continue;
      isChanged = true;
      if (isForeign) this.#tell(set, 'ConflictingController', foreignMessage(name));
      const resource = this.#parts.client.resource(kinds.persistentVolumeClaims);
      const metadata = { ...claim.metadata, ownerReferences: owners };
      try {
        await resource.update({ ...claim, metadata }, { signal });
      } catch (cause) {
        const why = `could not update claim ${name} for delete policy ownerRefs: ${messageOf(cause)}`;
        throw hasReason(cause, 'Conflict') ? cause : new Error(why, { cause });
      }
    }
    return isChanged;
  }

  #known({ metadata }: PersistentVolumeClaim): PersistentVolumeClaim | undefined {
    return this.#parts.claims.objects.get(`${metadata.namespace}/${metadata.name}`);
  }

  /** Answers what kept it from being made. */
  async #create(
    set: StatefulSet,
    claim: PersistentVolumeClaim,
    ordinal: number,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const what = `Create Claim ${claim.metadata.name}`;
    const pod = `Pod ${set.metadata.name}-${ordinal} in StatefulSet ${set.metadata.name}`;
    const { recorder, client } = this.#parts;
    try {
      await client.resource(kinds.persistentVolumeClaims).create(claim, { signal });
      const event = {
        type: 'Normal',
        reason: 'SuccessfulCreate',
        message: `${what} ${pod} success`,
      } as const;
      recorder.recordOf(kinds.statefulSets, set, event);
      return undefined;
    } catch (error) {
      const why = messageOf(error);
      if (!signal.aborted && !hasReason(error, 'AlreadyExists'))
        this.#tell(set, 'FailedCreate', `${what} for ${pod} failed error: ${why}`);
      return why;
    }
  }

  #tell(set: StatefulSet, reason: string, message: string): void {
    this.#parts.recorder.recordOf(kinds.statefulSets, set, { type: 'Warning', reason, message });
  }
}

/** With upstream's slip of the pen, by which its events are joined. */
function foreignMessage(claimName: string): string {
  const what = `PersistentVolumeClaim ${claimName} has a conflicting OwnerReference`;
  return `${what} that acts as a manging controller, the retention policy is ignored for this claim`;
}
