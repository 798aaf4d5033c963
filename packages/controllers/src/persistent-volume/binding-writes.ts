import { isDeepStrictEqual } from 'node:util';
import { type KubeClient, kinds } from '@wherry/client';
import type { ObjectMeta, PersistentVolume, PersistentVolumeClaim } from '@wherry/kubeapi/objects';
import { isVolumeOf, storageAnnotations } from '@wherry/podrules';

type VolumePhase = NonNullable<PersistentVolume['status']>['phase'];
type ClaimPhase = NonNullable<PersistentVolumeClaim['status']>['phase'];

const { boundByController, bindCompleted } = storageAnnotations;

/** The volume as it is once the claim has it; the same object when it is so already. */
export function volumeBoundTo(volume: PersistentVolume, claim: PersistentVolumeClaim): PersistentVolume {
  const { name, namespace, uid, resourceVersion } = claim.metadata;
  const isOurs = isVolumeOf(volume, claim);
  const isWritten = isOurs && volume.spec.claimRef?.uid === uid;
  const metadata = isOurs ? volume.metadata : annotated(volume.metadata, boundByController);
  if (isWritten && metadata === volume.metadata) return volume;
  const claimRef = { kind: 'PersistentVolumeClaim', apiVersion: 'v1', namespace, name, uid, resourceVersion };
  const spec = isWritten ? volume.spec : { ...volume.spec, claimRef: claimRef as object };
  return { ...volume, metadata, spec };
}

function annotated(metadata: ObjectMeta, ...names: string[]): ObjectMeta {
  if (names.every((name) => Object.hasOwn(metadata.annotations ?? {}, name))) return metadata;
  const added = Object.fromEntries(names.map((name) => [name, 'yes']));
  return { ...metadata, annotations: { ...added, ...metadata.annotations } };
}

/** What a binder writes of volumes and claims. A write that is based on an old object is refused, and tried again later. */
export class BindingWrites {
  readonly #client: KubeClient;

  constructor(client: KubeClient) {
    this.#client = client;
  }

  /** Both sides say that they are each other's, the volume first (upstream: bind). */
  async bind(volume: PersistentVolume, claim: PersistentVolumeClaim, signal: AbortSignal): Promise<void> {
    const bound = volumeBoundTo(volume, claim);
    const kept = bound === volume ? volume : await this.#volumes.update(bound, { signal });
    const held = await this.volumePhase(kept, 'Bound', signal);
    const name = held.metadata.name ?? '';
    const isNamed = claim.spec.volumeName === name;
    const metadata = annotated(claim.metadata, bindCompleted, ...(isNamed ? [] : [boundByController]));
    const isSame = isNamed && metadata === claim.metadata;
    const next = { ...claim, metadata, spec: { ...claim.spec, volumeName: name } };
    const written = isSame ? claim : await this.#claims.update(next, { signal });
    await this.claimPhase(written, 'Bound', { volume: held, signal });
  }

  /** The volume is nobody's again; one that a user keeps for a claim stays kept (upstream: unbindVolume). */
  async unbind(volume: PersistentVolume, signal: AbortSignal): Promise<void> {
    const { claimRef, ...spec } = volume.spec;
    const { [boundByController]: mark, ...annotations } = volume.metadata.annotations ?? {};
    const { uid: _uid, ...keptFor } = claimRef ?? {};
    const next =
      mark === undefined
        ? { ...volume, spec: { ...spec, claimRef: keptFor } }
        : { ...volume, metadata: { ...volume.metadata, annotations }, spec };
    await this.volumePhase(await this.#volumes.update(next, { signal }), 'Available', signal);
  }

  /** The volume as it is then. */
  async volumePhase(
    volume: PersistentVolume,
    phase: VolumePhase & string,
    signal: AbortSignal,
    message = '',
  ): Promise<PersistentVolume> {
    if (volume.status?.phase === phase) return volume;
    const { message: _before, ...status } = volume.status ?? {};
    const next = { ...volume, status: { ...status, phase, ...(message === '' ? {} : { message }) } };
    return this.#volumes.update(next, { subresource: 'status', signal });
  }

  /** What a claim has: that of its volume, or nothing. True when something was written. */
  async claimPhase(
    claim: PersistentVolumeClaim,
    phase: ClaimPhase & string,
    { volume, signal }: { volume?: PersistentVolume; signal: AbortSignal },
  ): Promise<boolean> {
    const {
      accessModes: _modes,
      capacity,
      currentVolumeAttributesClassName: attributes,
      ...rest
    } = claim.status ?? {};
    const isNew = claim.status?.phase !== phase;
    const current = isNew ? volume?.spec.volumeAttributesClassName : attributes;
    // The size of what is bound already is the resizer's to tell.
    const size = isNew ? volume?.spec.capacity : capacity;
    const given = volume && {
      ...(volume.spec.accessModes ? { accessModes: volume.spec.accessModes } : {}),
      ...(size ? { capacity: size } : {}),
      ...(current === undefined ? {} : { currentVolumeAttributesClassName: current }),
    };
    const status = { ...rest, phase, ...given };
    if (isDeepStrictEqual(status, claim.status)) return false;
    await this.#claims.update({ ...claim, status }, { subresource: 'status', signal });
    return true;
  }

  async updateClaim(claim: PersistentVolumeClaim, signal: AbortSignal): Promise<void> {
    await this.#claims.update(claim, { signal });
  }

  get #volumes() {
    return this.#client.resource(kinds.persistentVolumes);
  }

  get #claims() {
    return this.#client.resource(kinds.persistentVolumeClaims);
  }
}
