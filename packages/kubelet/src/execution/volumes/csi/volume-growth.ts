import { type KubeClient, kinds } from '@wherry/client';
import type { Clock } from '@wherry/clock';
import type { PersistentVolume, PersistentVolumeClaim } from '@wherry/kubeapi';
import type { Logger } from '@wherry/telemetry';
import { NodeServiceCapabilityRPCType as Capability } from '../../../generated/csi.ts';
import { csiCallMs, volumeGrowthMs } from '../../../limits.ts';
import type { AssignedPod } from '../../../pod/assigned-pod.ts';
import { type EventRecorder, type EventType, podObject } from '../../../reporting/events/recorder.ts';
import { apiTime } from '../../../reporting/status/container-statuses.ts';
import { csiAccessMode } from './access-mode.ts';
import {
  claimedBytes,
  failedStatus,
  type Growth,
  growingStatus,
  grownStatus,
  growthOf,
} from './claim-growth.ts';
import { asked, type CsiDrivers, capabilitiesOf, DriverError } from './csi-drivers.ts';
import type { CsiLayout } from './csi-layout.ts';
import type { KeyTurns } from './key-turns.ts';
import { secretTexts } from './publish-values.ts';

/** What the growth of volumes is followed with. */
export interface VolumeGrowthOptions {
  drivers: CsiDrivers;
  layout: CsiLayout;
  /** Undefined for a kubelet without an API server, where no volume grows. */
  client: KubeClient | undefined;
  clock: Clock;
  logger: Logger;
  recorder: EventRecorder;
  /** One thing at a time is done with each volume. */
  turns: KeyTurns;
}

/** A claim's volume in a pod. */
export interface PlacedClaim {
  pod: AssignedPod;
  claimName: string;
  volumeName: string;
  /** Where the pod has it. */
  volumePath: string;
}

interface Followed {
  /** By the pod's UID. */
  places: Map<string, PlacedClaim>;
  /** The size that this node has seen to, or does not try any more. */
  knownBytes: number | undefined;
}

/** Errors that no further try with the same size will mend (pkg/volume/csi/expander.go). */
const infeasibleCodes: readonly string[] = ['INVALID_ARGUMENT', 'OUT_OF_RANGE', 'NOT_FOUND'];

/**
 * Has drivers make file systems as large as the volumes below them: when a pod's volume is in place, and while it runs, looked at
 * every minute. A claim that can't grow says so by an event, and its pod goes on.
 */
export class VolumeGrowth {
  readonly #options: VolumeGrowthOptions;
  readonly #followed = new Map<string, Followed>();
  #lookedMs = 0;
  #looking: Promise<void> | undefined;

  constructor(options: VolumeGrowthOptions) {
    this.#options = options;
  }

  /** Looks at it now and from now on; resolves when it has the size of its volume, or can't have it yet. */
  async follow(key: string, place: PlacedClaim): Promise<void> {
    const followed = this.#followed.get(key) ?? { places: new Map(), knownBytes: undefined };
    followed.places.set(place.pod.metadata.uid, place);
    this.#followed.set(key, followed);
    await this.#look(key);
  }

  forget(key: string, uid: string): void {
    const followed = this.#followed.get(key);
    followed?.places.delete(uid);
    if (followed?.places.size === 0) this.#followed.delete(key);
  }

  /** Looks at all that are followed, where it is time to. */
  tick(): void {
    const nowMs = this.#options.clock.monotonicMs();
    if (this.#looking || nowMs - this.#lookedMs < volumeGrowthMs) return;
    this.#lookedMs = nowMs;
    this.#looking = Promise.all([...this.#followed.keys()].map((key) => this.#look(key))).then(() => {
      this.#looking = undefined;
    });
  }

  async #look(key: string): Promise<void> {
    const { client, turns, logger } = this.#options;
    if (!client) return;
    const work = turns.take(key, undefined, async () => {
      const followed = this.#followed.get(key);
      if (followed) await this.#settle(client, followed);
    });
    await work.catch((error: unknown) => logger.warn('a claim can not grow yet', { volume: key, error }));
  }

  async #settle(client: KubeClient, followed: Followed): Promise<void> {
    const [place] = followed.places.values();
    if (!place) return;
    const { namespace } = place.pod.metadata;
    const claim = await client
      .resource(kinds.persistentVolumeClaims)
      .get({ name: place.claimName, namespace });
    const volume = await client.resource(kinds.persistentVolumes).get({ name: place.volumeName });
    followed.knownBytes ??= claimedBytes(claim.status ?? {});
    const growth = growthOf(claim, volume, followed.knownBytes);
    if (!growth) return;
    const marked = growth.isMarked ? await this.#tell(client, claim, growingStatus) : claim;
    let isDone: boolean;
    try {
      isDone = await this.#expand(client, place, volume, growth);
    } catch (error) {
      const { message } = error as Error;
      this.#record(place, marked, [
        'Warning',
        'VolumeResizeFailed',
        `failed for volume "${place.volumeName}" : ${message}`,
      ]);
      if (!(error instanceof DriverError && error.isFinal)) throw error;
      const isInfeasible = infeasibleCodes.includes(error.code);
      // Nor is it done while the volume is in use here, where the driver says that.
      if (isInfeasible || error.code === 'FAILED_PRECONDITION') followed.knownBytes = growth.bytes;
      const now = apiTime(this.#options.clock.nowMs());
      if (!growth.isTold)
        await this.#tell(client, marked, failedStatus(marked, growth, { message, isInfeasible, now }));
      return;
    }
    if (!growth.isTold) await this.#tell(client, marked, grownStatus(marked, growth));
    followed.knownBytes = growth.bytes;
    if (!isDone) return;
    this.#record(place, marked, [
      'Normal',
      'FileSystemResizeSuccessful',
      `succeeded for volume "${place.volumeName}"`,
    ]);
  }

  /** False for a driver that leaves it to its controller, which has done it. */
  async #expand(
    client: KubeClient,
    { volumePath }: PlacedClaim,
    { metadata, spec }: PersistentVolume,
    { bytes, isTold }: Growth,
  ): Promise<boolean> {
    const { drivers, layout } = this.#options;
    const { driver, volumeHandle, fsType = '', nodeExpandSecretRef } = spec.csi!;
    const node = drivers.node(driver);
    const can = await capabilitiesOf(node);
    if (!can.has(Capability.EXPAND_VOLUME)) {
      if (isTold) return false;
      throw new Error(`NodeExpand is not supported by the CSI driver ${driver}`);
    }
    const isDevice = spec.volumeMode === 'Block';
    const accessMode = csiAccessMode(spec.accessModes, can);
    const mount = { fsType, mountFlags: spec.mountOptions ?? [], volumeMountGroup: '' };
    const device = isDevice ? metadata.name : undefined;
    const { name = '', namespace = '' } = nodeExpandSecretRef ?? {};
    const secret = name ? await client.resource(kinds.secrets).get({ name, namespace }) : {};
    const call = {
      volumeId: volumeHandle,
      volumePath,
      capacityRange: { requiredBytes: bytes, limitBytes: 0 },
      stagingTargetPath: can.has(Capability.STAGE_UNSTAGE_VOLUME)
        ? layout.stagingPath({ driver, handle: volumeHandle, device })
        : '',
      volumeCapability: isDevice ? { block: {}, accessMode } : { mount, accessMode },
      secrets: secretTexts(secret),
    };
    await asked(() => node.nodeExpandVolume(call, { timeoutMs: csiCallMs }));
    return true;
  }

  /** The claim's status, unless it has changed meanwhile: then it is looked at again. */
  #tell(
    client: KubeClient,
    { metadata }: PersistentVolumeClaim,
    status: object,
  ): Promise<PersistentVolumeClaim> {
    const { name = '', namespace = '', resourceVersion } = metadata;
    const patch = { metadata: { resourceVersion }, status };
    const claims = client.resource(kinds.persistentVolumeClaims);
    return claims.patch({ type: 'merge', name, namespace, subresource: 'status', patch });
  }

  #record(
    { pod }: PlacedClaim,
    { metadata }: PersistentVolumeClaim,
    [type, reason, text]: [type: EventType, reason: string, text: string],
  ): void {
    const { recorder } = this.#options;
    const message = `MountVolume.NodeExpandVolume ${text}`;
    const { name = '', namespace, uid = '' } = metadata;
    const claim = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', name, namespace, uid };
    for (const object of [podObject(pod), claim]) recorder.record({ object, type, reason, message });
  }
}
