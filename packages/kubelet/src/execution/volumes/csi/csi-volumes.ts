import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { orAborted } from '@wherry/bytes';
import type { KubeClient } from '@wherry/client';
import type { Clock } from '@wherry/clock';
import type { CSIVolumeSource, PersistentVolume } from '@wherry/kubeapi';
import type { Logger } from '@wherry/telemetry';
import { NodeServiceCapabilityRPCType as Capability, type VolumeCapability } from '../../../generated/csi.ts';
import { FailureBackoff } from '../../../ground/failure-backoff.ts';
import { csiCallMs, volumeBackoff } from '../../../limits.ts';
import type { EventRecorder } from '../../../reporting/events/recorder.ts';
import { give, giveOnce } from '../persistent/give-once.ts';
import {
  type CsiHost,
  NodeFullError,
  type ReadyVolume,
  type VolumeRequest,
  VolumeStepError,
} from '../volume-plugin.ts';
import type { VolumeTimes } from '../volume-times.ts';
import { csiAccessMode } from './access-mode.ts';
import { waitForAttachment } from './attachments.ts';
import { asked, type CsiDrivers, type CsiNodeService, capabilitiesOf, DriverError } from './csi-drivers.ts';
import {
  attachmentName,
  type CsiLayout,
  checkDriverName,
  inlineHandle,
  publishedMount,
  stagedMount,
  uniqueName,
} from './csi-layout.ts';
import { linkDevice, removeDevice, unlinkDevice } from './device-files.ts';
import { DriverRules } from './driver-rules.ts';
import { KeyTurns } from './key-turns.ts';
import { publishValues, secretValues } from './publish-values.ts';
import { removePlace } from './remove-place.ts';
import { readVolumeData, type VolumeData, writeVolumeData } from './volume-data.ts';
import { type PlacedClaim, VolumeGrowth } from './volume-growth.ts';
import { type VolumeFigures, VolumeUsage } from './volume-usage.ts';
import { keyOf, type Publication, type Staged, VolumeUsers } from './volume-users.ts';

/** What volumes of CSI drivers are handled with. */
export interface CsiVolumesOptions {
  drivers: CsiDrivers;
  layout: CsiLayout;
  /** Undefined for a kubelet without an API server. */
  client: KubeClient | undefined;
  clock: Clock;
  /** Hears how long drivers take to say what volumes hold. */
  times?: Pick<VolumeTimes, 'measured'> | undefined;
  logger: Logger;
  recorder: EventRecorder;
  nodeName: string;
  isSelinuxEnforcing: boolean;
  /** Told which volumes must not be taken from this node, by their names in its status, whenever that changes. */
  onUse(names: readonly string[]): void;
  /** Resolves once the node's status says that these are in use. */
  saysInUse(names: readonly string[], signal: AbortSignal): Promise<void>;
  /** The node turned out to have as many volumes of that driver as it can have. */
  onFull(driver: string): void;
}

/** A volume to be put in place. */
interface Wanted {
  driver: string;
  handle: string;
  name: string;
  isEphemeral: boolean;
  isReadOnly: boolean;
  fsType: string;
  isDevice: boolean;
  mountFlags: readonly string[];
  accessModes: readonly string[] | undefined;
  volumeContext: Record<string, string>;
  stageSecret?: { namespace?: string; name?: string } | undefined;
  publishSecret?: { namespace?: string; name?: string } | undefined;
}

/** What is known of a volume's driver while it is put in place. */
interface Handling {
  wanted: Wanted;
  request: VolumeRequest<unknown>;
  node: CsiNodeService;
  can: ReadonlySet<number>;
  rules: DriverRules;
  capability: VolumeCapability;
  publishContext: Record<string, string>;
}

/** Puts volumes of CSI drivers in place and takes them away. One thing at a time is done with each volume. */
export class CsiVolumes implements CsiHost {
  readonly #options: CsiVolumesOptions;
  readonly #users: VolumeUsers;
  readonly #turns = new KeyTurns();
  readonly #backoff: FailureBackoff;
  /** What this process knows to be staged: an earlier one's word is asked for again. */
  readonly #staged = new Set<string>();
  readonly #usage: VolumeUsage;
  readonly #growth: VolumeGrowth;
  #sweeping: Promise<void> | undefined;

  constructor(options: CsiVolumesOptions) {
    this.#options = options;
    this.#usage = new VolumeUsage(options);
    this.#growth = new VolumeGrowth({ ...options, turns: this.#turns });
    this.#users = new VolumeUsers(options.layout, (error) =>
      options.logger.warn('what is written down of a CSI volume can not be read', { error }),
    );
    this.#backoff = new FailureBackoff(options.clock, { ...volumeBackoff, resetMs: 2 * volumeBackoff.maxMs });
  }

  /** Finds what earlier kubelets left in place. Comes before the node's first report, which says what must stay. */
  async load(): Promise<void> {
    await this.#users.load();
    this.#tellUse();
  }

  publishInline(request: VolumeRequest<CSIVolumeSource>): Promise<ReadyVolume> {
    const { source, name, pod } = request;
    const { driver, readOnly = false, fsType = '', volumeAttributes = {}, nodePublishSecretRef } = source;
    const { uid, namespace } = pod.metadata;
    return this.#publish(request, {
      driver,
      handle: inlineHandle(uid, name),
      name,
      isEphemeral: true,
      isReadOnly: readOnly,
      fsType,
      isDevice: false,
      mountFlags: [],
      accessModes: undefined,
      volumeContext: volumeAttributes,
      publishSecret: nodePublishSecretRef && { ...nodePublishSecretRef, namespace },
    });
  }

  publishClaimed(
    request: VolumeRequest<unknown>,
    { metadata, spec }: PersistentVolume,
    isReadOnly: boolean,
  ): Promise<ReadyVolume> {
    const { driver, volumeHandle, fsType = '', volumeAttributes = {}, ...secrets } = spec.csi!;
    return this.#publish(request, {
      driver,
      handle: volumeHandle,
      name: metadata.name ?? '',
      isEphemeral: false,
      isReadOnly,
      fsType,
      isDevice: spec.volumeMode === 'Block',
      mountFlags: spec.mountOptions ?? [],
      accessModes: spec.accessModes,
      volumeContext: volumeAttributes,
      stageSecret: secrets.nodeStageSecretRef,
      publishSecret: secrets.nodePublishSecretRef,
    });
  }

  /** Takes away all that the pod has of drivers, or what has that name, whoever put it there. Throws when something stays. */
  async release(uid: string, name?: string): Promise<void> {
    await this.#users.load();
    const problems: unknown[] = [];
    for (const publication of this.#users.of(uid)) {
      if (name !== undefined && publication.name !== name) continue;
      try {
        await this.#turns.take(keyOf(publication), undefined, () => this.#unpublish(publication));
      } catch (error) {
        problems.push(error);
      }
    }
    if (problems.length > 0) throw problems[0];
  }

  /** Has the claim's file system grow with its volume, which was published there, now and as long as the pod has it. */
  async keepGrown(
    { metadata, spec }: PersistentVolume,
    place: Omit<PlacedClaim, 'volumeName'>,
    signal: AbortSignal,
  ): Promise<void> {
    const { driver, volumeHandle: handle } = spec.csi!;
    const volumeName = metadata.name ?? '';
    await orAborted(this.#growth.follow(keyOf({ driver, handle }), { ...place, volumeName }), signal);
  }

  /** Unstages what nobody uses, and looks which claims are to grow; what fails is tried again later, with growing delays. */
  sweep(): void {
    const { logger } = this.#options;
    this.#growth.tick();
    this.#sweeping ??= this.#unstageUnused()
      .catch((error: unknown) => logger.warn('unused CSI volumes could not be looked at', { error }))
      .finally(() => {
        this.#sweeping = undefined;
      });
  }

  /** What the driver says of the pod's volume that is published at that path; undefined where none is, or says nothing. */
  async figuresOf(uid: string, path: string): Promise<VolumeFigures | undefined> {
    const publication = this.#users.of(uid).find((each) => this.#targetOf(each) === path);
    return publication && this.#usage.of(publication, path);
  }

  #targetOf({ uid, name, isDevice }: Publication): string {
    const { layout } = this.#options;
    return isDevice
      ? layout.devicePublishPath(name, uid)
      : join(layout.podVolumesDir(uid), name, publishedMount);
  }

  #tellUse(): void {
    this.#options.onUse(this.#users.lasting.map(uniqueName).sort());
  }

  async #publish(request: VolumeRequest<unknown>, wanted: Wanted): Promise<ReadyVolume> {
    const { signal } = request.sources;
    checkDriverName(wanted.driver);
    await this.#users.load();
    const { uid } = request.pod.metadata;
    const { driver, handle, name, isDevice, isEphemeral } = wanted;
    const publication: Publication = { uid, driver, handle, name, isDevice, isEphemeral };
    this.#users.add(publication);
    this.#tellUse();
    const rules = await this.#rules(wanted, request);
    const publishContext = await this.#attached(wanted, rules, signal);
    return this.#turns.take(keyOf(wanted), signal, async () => {
      const node = this.#options.drivers.node(driver);
      const can = await capabilitiesOf(node, { signal });
      const capability = capabilityOf(wanted, request, can);
      const handling: Handling = { wanted, request, node, can, rules, capability, publishContext };
      const stagingTargetPath = await this.#stage(handling);
      return isDevice
        ? this.#publishDevice(handling, stagingTargetPath)
        : this.#publishMount(handling, stagingTargetPath);
    });
  }

  async #rules(
    { driver, isEphemeral }: Wanted,
    { sources, pod }: VolumeRequest<unknown>,
  ): Promise<DriverRules> {
    const { client, isSelinuxEnforcing } = this.#options;
    const rules = client
      ? await DriverRules.read(client, driver, sources.signal)
      : new DriverRules(driver, undefined);
    rules.checkMode(isEphemeral ? 'Ephemeral' : 'Persistent');
    if (rules.seLinuxMount && isSelinuxEnforcing && pod.spec.securityContext?.seLinuxOptions)
      throw new Error(
        `CSI driver ${driver} wants volumes mounted with SELinux labels (seLinuxMount), which this kubelet does not support`,
      );
    return rules;
  }

  async #attached(wanted: Wanted, rules: DriverRules, signal: AbortSignal): Promise<Record<string, string>> {
    const { client, clock, nodeName, saysInUse, onFull } = this.#options;
    if (wanted.isEphemeral || !rules.attachRequired || !client) return {};
    // Said before: a controller that would detach it sees that it is wanted here.
    await saysInUse([uniqueName(wanted)], signal);
    const volume = { ...wanted, countsVolumes: rules.countsVolumes };
    try {
      return await waitForAttachment({ client, clock, nodeName }, volume, signal);
    } catch (error) {
      if (error instanceof NodeFullError) onFull(wanted.driver);
      throw error;
    }
  }

  /** Where it is staged; '' for a driver that stages nothing. */
  async #stage(handling: Handling): Promise<string> {
    const { wanted, request, node, can, capability, publishContext } = handling;
    const { driver, handle, isDevice, name } = wanted;
    if (wanted.isEphemeral) return '';
    const { layout } = this.#options;
    const stages = can.has(Capability.STAGE_UNSTAGE_VOLUME);
    if (!stages && !isDevice) return '';
    const folder = isDevice ? layout.deviceDataDir(name) : layout.stagedDir(driver, handle);
    const path = layout.stagingPath({ driver, handle, device: isDevice ? name : undefined });
    if (this.#staged.has(keyOf(wanted))) return stages ? path : '';
    const step = isDevice ? 'MapVolume.SetUpDevice' : 'MountVolume.MountDevice';
    await inStep(step, async () => {
      const secrets = await secretValues(request, wanted.stageSecret, 'NodeStageSecretRef');
      await makeFolder(folder);
      const isNew = await keepData(folder, { driverName: driver, volumeHandle: handle });
      this.#users.stage({ driver, handle, device: isDevice ? name : undefined });
      if (!stages) return;
      await makeFolder(path);
      const { volumeContext } = wanted;
      const call = {
        ...{ volumeId: handle, publishContext, stagingTargetPath: path },
        ...{ volumeCapability: capability, secrets, volumeContext },
      };
      const { signal } = request.sources;
      try {
        await asked(() => node.nodeStageVolume(call, { signal, timeoutMs: csiCallMs }));
      } catch (error) {
        if (isNew && isFinal(error) && !isDevice) {
          await removePlace(folder, stagedMount);
          this.#users.unstage(wanted);
        }
        throw error;
      }
    });
    this.#staged.add(keyOf(wanted));
    return stages ? path : '';
  }

  async #publishMount(handling: Handling, stagingTargetPath: string): Promise<ReadyVolume> {
    const { wanted, request, can, rules } = handling;
    const { driver, handle, name, isEphemeral, isReadOnly } = wanted;
    const { layout, nodeName } = this.#options;
    const folder = join(layout.podVolumesDir(request.pod.metadata.uid), name);
    await makeFolder(folder);
    const isNew = await keepData(folder, {
      ...{ specVolID: name, volumeHandle: handle, driverName: driver, nodeName },
      volumeLifecycleMode: isEphemeral ? 'Ephemeral' : 'Persistent',
      attachmentID: attachmentName(wanted, nodeName),
    });
    const hostPath = join(folder, publishedMount);
    try {
      await this.#nodePublish(handling, { stagingTargetPath, targetPath: hostPath });
    } catch (error) {
      // What may still be under way, or may have been in place before, is the driver's to take away.
      if (isNew && isFinal(error)) await removePlace(folder, publishedMount);
      throw error;
    }
    if (!can.has(Capability.VOLUME_MOUNT_GROUP) && ownsGroup(wanted, rules))
      await (rules.requiresRepublish ? give : giveOnce)(request, hostPath);
    return { hostPath, readOnly: isReadOnly, ...(rules.requiresRepublish ? { isRepublished: true } : {}) };
  }

  async #publishDevice(handling: Handling, stagingTargetPath: string): Promise<ReadyVolume> {
    const { wanted, request } = handling;
    const { uid } = request.pod.metadata;
    const { layout } = this.#options;
    const hostPath = await linkDevice(layout, wanted.name, uid);
    await inStep('MapVolume.MapPodDevice', () =>
      this.#nodePublish(handling, { stagingTargetPath, targetPath: hostPath }),
    );
    return { hostPath, readOnly: wanted.isReadOnly, isDevice: true };
  }

  async #nodePublish(
    { wanted, request, node, rules, capability, publishContext }: Handling,
    paths: { stagingTargetPath: string; targetPath: string },
  ): Promise<void> {
    const { isEphemeral, volumeContext } = wanted;
    const secrets = await secretValues(request, wanted.publishSecret, 'NodePublishSecretRef');
    const values = await publishValues(request, rules, { volumeContext, secrets, isEphemeral });
    const call = {
      ...{ volumeId: wanted.handle, publishContext, ...paths, ...values },
      ...{ volumeCapability: capability, readonly: wanted.isReadOnly },
    };
    const { signal } = request.sources;
    await asked(() => node.nodePublishVolume(call, { signal, timeoutMs: csiCallMs }));
  }

  async #unpublish(publication: Publication): Promise<void> {
    const { drivers, layout } = this.#options;
    const { driver, handle: volumeId, uid, name, isDevice } = publication;
    const folder = join(layout.podVolumesDir(uid), name);
    const targetPath = this.#targetOf(publication);
    this.#usage.forget(targetPath);
    this.#growth.forget(keyOf(publication), uid);
    const data = await readVolumeData(isDevice ? layout.deviceDataDir(name) : folder);
    // Without data no driver was ever asked for it.
    if (data) {
      const node = drivers.node(driver);
      await asked(() => node.nodeUnpublishVolume({ volumeId, targetPath }, { timeoutMs: csiCallMs }));
    }
    if (isDevice) await unlinkDevice(layout, name, uid);
    else await removePlace(folder, publishedMount);
    this.#users.drop(publication);
    this.#tellUse();
    const staged = this.#users.staged(publication);
    if (staged && !this.#users.isUsed(publication)) await this.#tryUnstage(staged);
  }

  async #unstageUnused(): Promise<void> {
    await this.#users.load();
    // A driver that does not answer keeps its own alone.
    const byDriver = Map.groupBy(this.#users.unused, ({ driver }) => driver);
    await Promise.all([...byDriver.values()].map((unused) => this.#unstageEach(unused)));
  }

  async #unstageEach(unused: readonly Staged[]): Promise<void> {
    for (const staged of unused) {
      const key = keyOf(staged);
      const failedMs = this.#backoff.updatedMs(key);
      if (failedMs !== undefined && this.#backoff.remainingMs(key, failedMs) > 0) continue;
      await this.#turns.take(key, undefined, async () => {
        if (!this.#users.isUsed(staged)) await this.#tryUnstage(staged);
      });
    }
  }

  /** What fails is left to {@link sweep}: the pod that used it is done. */
  async #tryUnstage(staged: Staged): Promise<void> {
    const key = keyOf(staged);
    try {
      await this.#unstage(staged);
      this.#backoff.forget(key);
    } catch (error) {
      this.#backoff.raise(key, this.#options.clock.nowMs());
      this.#options.logger.warn('a CSI volume that nobody uses could not be unstaged', {
        volume: key,
        error,
      });
    }
  }

  async #unstage(staged: Staged): Promise<void> {
    const { drivers, layout } = this.#options;
    const { driver, handle: volumeId, device } = staged;
    const node = drivers.node(driver);
    const folder = layout.stagedDir(driver, volumeId);
    const stagingTargetPath = layout.stagingPath({ driver, handle: volumeId, device });
    this.#staged.delete(keyOf(staged));
    if ((await capabilitiesOf(node)).has(Capability.STAGE_UNSTAGE_VOLUME))
      await asked(() => node.nodeUnstageVolume({ volumeId, stagingTargetPath }, { timeoutMs: csiCallMs }));
    if (device === undefined) await removePlace(folder, stagedMount);
    else await removeDevice(layout, device);
    this.#users.unstage(staged);
    this.#tellUse();
  }
}

const makeFolder = (path: string) => mkdir(path, { recursive: true, mode: 0o750 });

/** True when nothing was written down before. Throws when the folder is another volume's. */
async function keepData(folder: string, data: VolumeData): Promise<boolean> {
  const before = await readVolumeData(folder);
  if (before && (before.driverName !== data.driverName || before.volumeHandle !== data.volumeHandle))
    throw new Error(`"${folder}" holds volume ${before.volumeHandle} of driver ${before.driverName}`);
  if (!before) await writeVolumeData(folder, data);
  return !before;
}

const isFinal = (error: unknown) => error instanceof DriverError && error.isFinal;

async function inStep<T>(step: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof DriverError || error instanceof Error)
      throw new VolumeStepError(step, error.message, { cause: error });
    throw error;
  }
}

function capabilityOf(
  { fsType, mountFlags, accessModes, isDevice }: Wanted,
  { gid }: VolumeRequest<unknown>,
  can: ReadonlySet<number>,
): VolumeCapability {
  const accessMode = csiAccessMode(accessModes, can);
  if (isDevice) return { block: {}, accessMode };
  const volumeMountGroup = can.has(Capability.VOLUME_MOUNT_GROUP) && gid !== undefined ? String(gid) : '';
  return { mount: { fsType, mountFlags: [...mountFlags], volumeMountGroup }, accessMode };
}

/** Whether the kubelet gives the volume to the pod's fsGroup (upstream: csiMountMgr.supportsFSGroup). */
function ownsGroup(
  { isReadOnly, fsType, isEphemeral, accessModes = [] }: Wanted,
  rules: DriverRules,
): boolean {
  if (isReadOnly || rules.fsGroupPolicy === 'None') return false;
  if (rules.fsGroupPolicy === 'File') return true;
  if (fsType === '') return false;
  return isEphemeral || accessModes.some((mode) => mode === 'ReadWriteOnce' || mode === 'ReadWriteOncePod');
}
