import { isDeepStrictEqual } from 'node:util';
import { type KubeClient, kinds } from '@wherry/client';
import {
  hasReason,
  type OwnerReference,
  type PersistentVolumeClaim,
  type Pod,
  type StatefulSet,
} from '@wherry/kubeapi/objects';
import type { EventRecorder } from '../machinery/events.ts';
import { messageOf } from '../ownership/pod-writes.ts';
import { controllerReference } from '../watching/controller-reference.ts';
import type { InformerHandle } from '../watching/shared-informers.ts';
import { claimsOf, firstOrdinal, ordinalOf } from './identity.ts';

interface Parts {
  client: KubeClient;
  recorder: EventRecorder;
  claims: InformerHandle<PersistentVolumeClaim>;
}

/**
 * The owners that a claim of a set should have: who goes takes it along (upstream: updateClaimOwnerRefForSetAndPod).
 * Unchanged when it belongs to an earlier set or pod of that name, which is still to be collected.
 */
export function claimOwners(claim: PersistentVolumeClaim, set: StatefulSet, pod: Pod): OwnerReference[] {
  const known = claim.metadata.ownerReferences ?? [];
  const ours = [controllerReference(kinds.statefulSets, set), controllerReference(kinds.pods, pod)] as const;
  const isNamed = (reference: OwnerReference) =>
    ours.some(({ kind, name }) => kind === reference.kind && name === reference.name);
  if (known.some((each) => isNamed(each) && !ours.some(({ uid }) => uid === each.uid))) return known;
  const others = known.filter((each) => !isNamed(each));
  if (others.some(({ controller }) => controller)) return others;
  const { whenDeleted = 'Retain', whenScaled = 'Retain' } =
    set.spec.persistentVolumeClaimRetentionPolicy ?? {};
  const first = firstOrdinal(set);
  const ordinal = ordinalOf(set, pod) ?? -1;
  const isCondemned = ordinal < first || ordinal >= first + (set.spec.replicas ?? 1);
  if (whenScaled === 'Delete' && isCondemned) return [...others, ours[1]];
  return whenDeleted === 'Delete' ? [...others, ours[0]] : others;
}

/** Whether the collector deletes the claim since its pod is gone (upstream: PodClaimIsStale). */
function goesWithPod({ metadata }: PersistentVolumeClaim, set: StatefulSet, ordinal: number): boolean {
  if (set.spec.persistentVolumeClaimRetentionPolicy?.whenScaled !== 'Delete') return false;
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

  /** {@link create} for a pod that is not there yet: a claim that goes with the one before it must be gone first, too. */
  async createForNew(set: StatefulSet, ordinal: number, signal: AbortSignal): Promise<void> {
    for (const { metadata } of claimsOf(set, ordinal)) {
      const key = `${metadata.namespace}/${metadata.name}`;
      const known = this.#parts.claims.objects.get(key);
      if (known && goesWithPod(known, set, ordinal)) throw new Error(`claim ${key} goes with the pod before`);
    }
    await this.create(set, ordinal, signal);
  }

  /** Creates what a pod still needs. Throws when a claim is being deleted: the pod must wait for it to be gone. */
  async create(set: StatefulSet, ordinal: number, signal: AbortSignal): Promise<void> {
    for (const claim of claimsOf(set, ordinal)) {
      const { name = '', namespace } = claim.metadata;
      const known = this.#parts.claims.objects.get(`${namespace}/${name}`);
      if (known?.metadata.deletionTimestamp) throw new Error(`claim ${namespace}/${name} is being deleted`);
      if (!known) await this.#create(set, claim, signal);
    }
  }

  /** Brings the owners of a pod's claims to what the retention policy says. */
  async retain(set: StatefulSet, pod: Pod, signal: AbortSignal): Promise<void> {
    for (const { metadata } of claimsOf(set, ordinalOf(set, pod) ?? -1)) {
      const claim = this.#parts.claims.objects.get(`${metadata.namespace}/${metadata.name}`);
      if (!claim) continue;
      const ownerReferences = claimOwners(claim, set, pod);
      if (isDeepStrictEqual(ownerReferences, claim.metadata.ownerReferences ?? [])) continue;
      const resource = this.#parts.client.resource(kinds.persistentVolumeClaims);
      await resource.update({ ...claim, metadata: { ...claim.metadata, ownerReferences } }, { signal });
    }
  }

  async #create(set: StatefulSet, claim: PersistentVolumeClaim, signal: AbortSignal): Promise<void> {
    const { name = '' } = claim.metadata;
    const pod = `${set.metadata.name}-${name.slice(name.lastIndexOf('-') + 1)}`;
    const what = `create Claim ${name} Pod ${pod} in StatefulSet ${set.metadata.name}`;
    const { recorder, client } = this.#parts;
    try {
      await client.resource(kinds.persistentVolumeClaims).create(claim, { signal });
      const event = { type: 'Normal', reason: 'SuccessfulCreate', message: `${what} success` } as const;
      recorder.recordOf(kinds.statefulSets, set, event);
    } catch (error) {
      if (hasReason(error, 'AlreadyExists')) return;
      const message = `${what} failed error: ${messageOf(error)}`;
      recorder.recordOf(kinds.statefulSets, set, { type: 'Warning', reason: 'FailedCreate', message });
      throw error;
    }
  }
}
