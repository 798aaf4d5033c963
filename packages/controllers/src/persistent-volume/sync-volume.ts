import type { PersistentVolume, PersistentVolumeClaim } from '@wherry/kubeapi/objects';
import { storageAnnotations } from '@wherry/podrules';
import type { ObjectEvent } from '../machinery/events.ts';
import type { BindingWrites } from './binding-writes.ts';
import { haveSameMode } from './match-volume.ts';

/** What is needed to look after a volume. */
export interface VolumeView {
  writes: BindingWrites;
  /** The claim of that name as the server has it now; undefined when there is none. */
  claimOf(volume: PersistentVolume, signal: AbortSignal): Promise<PersistentVolumeClaim | undefined>;
  tell(volume: PersistentVolume, event: ObjectEvent): void;
  /** Tells it of the claim. */
  tellClaim(claim: PersistentVolumeClaim, event: ObjectEvent): void;
  /** The claim is to be looked at. */
  wake(claim: PersistentVolumeClaim): void;
}

/** Brings a volume's phase to what its claim says, and lets it go when that is gone (upstream: syncVolume). */
export async function syncVolume(
  view: VolumeView,
  volume: PersistentVolume,
  signal: AbortSignal,
): Promise<void> {
  const { writes, wake, tell } = view;
  const { claimRef, persistentVolumeReclaimPolicy: policy } = volume.spec;
  const { annotations } = volume.metadata;
  if (!claimRef?.uid) {
    await writes.volumePhase(volume, 'Available', signal);
    return;
  }
  const named = await view.claimOf(volume, signal);
  const claim = named?.metadata.uid === claimRef.uid ? named : undefined;
  if (!claim) return release(view, volume, signal);
  const { volumeName } = claim.spec;
  if (!volumeName) {
    if (haveSameMode(claim, volume)) return wake(claim);
    const told = (what: string) =>
      ({
        type: 'Warning',
        reason: 'VolumeMismatch',
        message: `Cannot bind ${what} due to incompatible volumeMode.`,
      }) as const;
    const names = [volume, claim].map(({ metadata }) => `"${metadata.name}"`);
    tell(volume, told(`PersistentVolume to requested PersistentVolumeClaim ${names[1]}`));
    return view.tellClaim(claim, told(`PersistentVolume ${names[0]} to requested PersistentVolumeClaim`));
  }
  if (volumeName === volume.metadata.name) {
    await writes.volumePhase(volume, 'Bound', signal);
    return;
  }
  const isSpare = annotations?.[storageAnnotations.provisionedBy] !== undefined && policy === 'Delete';
  if (isSpare) return release(view, volume, signal);
  await writes.unbind(volume, signal);
}

/** The claim is gone. What becomes of the content is the volume's policy; external provisioners delete their own. */
async function release(
  { writes, tell }: VolumeView,
  volume: PersistentVolume,
  signal: AbortSignal,
): Promise<void> {
  const { phase } = volume.status ?? {};
  const isTold = phase === 'Released' || phase === 'Failed';
  const released = isTold ? volume : await writes.volumePhase(volume, 'Released', signal);
  const failure = unreclaimable(released);
  if (!failure || released.status?.phase === 'Failed') return;
  await writes.volumePhase(released, 'Failed', signal, failure.message);
  tell(released, failure);
}

/** Why nobody here or elsewhere can do what the policy says; undefined when somebody can, or nothing is to be done. */
function unreclaimable({ metadata, spec }: PersistentVolume): ObjectEvent | undefined {
  const policy = spec.persistentVolumeReclaimPolicy ?? 'Retain';
  if (policy === 'Retain') return undefined;
  if (policy === 'Recycle') {
    const message = 'No recycler plugin found for the volume!';
    return { type: 'Warning', reason: 'VolumeFailedRecycle', message };
  }
  const provisioner = metadata.annotations?.[storageAnnotations.provisionedBy];
  if (provisioner && !provisioner.startsWith('kubernetes.io/')) return undefined;
  // Its driver's provisioner deletes what it has, whoever made the volume.
  if (!provisioner && spec.csi) return undefined;
  const message = `error getting deleter volume plugin for volume "${metadata.name ?? ''}": no deletable volume plugin matched`;
  return { type: 'Warning', reason: 'VolumeFailedDelete', message };
}
