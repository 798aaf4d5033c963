import { keyOf } from '@wherry/client';
import type { PersistentVolume, PersistentVolumeClaim, Pod, StorageClass } from '@wherry/kubeapi/objects';
import {
  defaultStorageClass,
  isFinished,
  isVolumeOf,
  namesStorageClass,
  podClaims,
  storageAnnotations,
  storageClassOf,
} from '@wherry/podrules';
import type { ObjectEvent } from '../machinery/events.ts';
import type { BindingWrites } from './binding-writes.ts';
import { matchVolume, mismatch } from './match-volume.ts';

/** What a binder knows, and how it acts. */
export interface BinderView {
  volumes: ReadonlyMap<string, PersistentVolume>;
  claims: ReadonlyMap<string, PersistentVolumeClaim>;
  classes: ReadonlyMap<string, StorageClass>;
  pods: ReadonlyMap<string, Pod>;
  writes: BindingWrites;
  /** The volume as the server has it now; undefined when there is none. */
  volumeNow(name: string, signal: AbortSignal): Promise<PersistentVolume | undefined>;
  /** Tells it of the claim, unless that was the last that was told of it. */
  tell(claim: PersistentVolumeClaim, event: ObjectEvent): void;
}

const warning = (reason: string, message: string): ObjectEvent => ({ type: 'Warning', reason, message });
const normal = (reason: string, message: string): ObjectEvent => ({ type: 'Normal', reason, message });

/** Brings a claim to its volume, or says what it waits for (upstream: syncUnboundClaim, syncBoundClaim). */
export async function syncClaim(
  view: BinderView,
  claim: PersistentVolumeClaim,
  signal: AbortSignal,
): Promise<void> {
  const isBound = claim.metadata.annotations?.[storageAnnotations.bindCompleted] !== undefined;
  if (isBound) return syncBound(view, claim, signal);
  if (claim.spec.volumeName) return syncNamed(view, claim, claim.spec.volumeName, signal);
  await syncFree(view, claim, signal);
}

async function syncBound(
  { volumes, writes, tell, volumeNow }: BinderView,
  claim: PersistentVolumeClaim,
  signal: AbortSignal,
): Promise<void> {
  const lose = async (reason: string, message: string) => {
    if (claim.status?.phase === 'Lost') return;
    await writes.claimPhase(claim, 'Lost', { signal });
    tell(claim, warning(reason, message));
  };
  const { volumeName } = claim.spec;
  if (!volumeName) {
    const why = 'Bound claim has lost reference to PersistentVolume. Data on the volume is lost!';
    return lose('ClaimLost', why);
  }
  // Only the server knows that it is gone: the informer may not have seen it yet.
  const volume = volumes.get(volumeName) ?? (await volumeNow(volumeName, signal));
  if (!volume)
    return lose('ClaimLost', 'Bound claim has lost its PersistentVolume. Data on the volume is lost!');
  const holder = volume.spec.claimRef?.uid;
  if (volume.spec.claimRef === undefined || holder === claim.metadata.uid)
    return writes.bind(volume, claim, signal);
  const why = 'Two claims are bound to the same volume, this one is bound incorrectly';
  await lose('ClaimMisbound', why);
}

/** Somebody said which volume the claim is to have. */
async function syncNamed(
  { volumes, writes, tell }: BinderView,
  claim: PersistentVolumeClaim,
  volumeName: string,
  signal: AbortSignal,
): Promise<void> {
  const volume = volumes.get(volumeName);
  if (volume) {
    if (isVolumeOf(volume, claim)) return writes.bind(volume, claim, signal);
    const why = volume.spec.claimRef ? undefined : mismatch(claim, volume);
    if (volume.spec.claimRef)
      tell(claim, warning('FailedBinding', `volume "${volumeName}" already bound to a different claim.`));
    else if (why === undefined) return writes.bind(volume, claim, signal);
    else tell(claim, warning('VolumeMismatch', `Cannot bind to requested volume "${volumeName}": ${why}`));
  }
  await writes.claimPhase(claim, 'Pending', { signal });
}

async function syncFree(view: BinderView, claim: PersistentVolumeClaim, signal: AbortSignal): Promise<void> {
  const { volumes, classes, writes, tell } = view;
  const className = storageClassOf(claim);
  const storageClass = classes.get(className);
  const waits = className !== '' && storageClass?.volumeBindingMode === 'WaitForFirstConsumer';
  const found = matchVolume(claim, volumes.values(), { waits });
  if (found) return writes.bind(found, claim, signal);
  if (!namesStorageClass(claim)) {
    const name = defaultStorageClass(classes.values())?.metadata.name;
    if (name !== undefined)
      return writes.updateClaim({ ...claim, spec: { ...claim.spec, storageClassName: name } }, signal);
  }
  if (waits && claim.metadata.annotations?.[storageAnnotations.selectedNode] === undefined)
    tell(claim, whatItWaitsFor(view, claim));
  else if (className !== '') return provision(view, claim, { className, storageClass, signal });
  else {
    const message = 'no persistent volumes available for this claim and no storage class is set';
    tell(claim, normal('FailedBinding', message));
  }
  await writes.claimPhase(claim, 'Pending', { signal });
}

function whatItWaitsFor({ pods }: BinderView, claim: PersistentVolumeClaim): ObjectEvent {
  const key = keyOf(claim);
  const names = [...pods.values()]
    .filter((pod) => !pod.spec?.nodeName && !isFinished(pod))
    .filter((pod) => podClaims(pod).some(({ claimName }) => `${pod.metadata.namespace}/${claimName}` === key))
    .map(({ metadata }) => metadata.name ?? '');
  if (names.length === 0)
    return normal('WaitForFirstConsumer', 'waiting for first consumer to be created before binding');
  const what = names.length === 1 ? 'pod' : 'pods';
  return normal('WaitForPodScheduled', `waiting for ${what} ${names.join(',')} to be scheduled`);
}

/** Asks the class's provisioner for a volume: by an annotation, which whoever has that name looks for. */
async function provision(
  { writes, tell }: BinderView,
  claim: PersistentVolumeClaim,
  options: { className: string; storageClass: StorageClass | undefined; signal: AbortSignal },
): Promise<void> {
  const { className, storageClass, signal } = options;
  const provisioner = storageClass?.provisioner;
  if (provisioner === undefined) {
    const message = `storageclass.storage.k8s.io "${className}" not found`;
    return tell(claim, warning('ProvisioningFailed', message));
  }
  if (provisioner.startsWith('kubernetes.io/'))
    return tell(claim, warning('ProvisioningFailed', 'no volume plugin matched'));
  const { annotations } = claim.metadata;
  const keys = storageAnnotations;
  if (annotations?.[keys.provisioner] !== provisioner) {
    const added = { [keys.provisioner]: provisioner, [keys.betaProvisioner]: provisioner };
    const metadata = { ...claim.metadata, annotations: { ...annotations, ...added } };
    await writes.updateClaim({ ...claim, metadata }, signal);
  }
  const message =
    `Waiting for a volume to be created either by the external provisioner '${provisioner}' or manually by the ` +
    'system administrator. If volume creation is delayed, please verify that the provisioner is running and ' +
    'correctly registered.';
  tell(claim, normal('ExternalProvisioning', message));
}
