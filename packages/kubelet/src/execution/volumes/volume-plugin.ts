import type { Clock } from '@wherry/clock';
import type { CSIVolumeSource, NFSVolumeSource, PersistentVolume, Volume } from '@wherry/kubeapi';
import type { TreeUsage } from '@wherry/linux';
import type { AssignedPod } from '../../pod/assigned-pod.ts';
import type { FieldVerdicts } from '../../pod/field-verdict.ts';
import type { PayloadSources } from '../inputs/payload-sources.ts';
import type { MemoryPlace } from './memory-folder.ts';

/** The field of a volume that says what it is: each one but its name. */
export type VolumeKind = Exclude<keyof Volume, 'name'>;

/** The folders that one volume of one pod may have. Nobody but the kubelet writes above them. */
export interface VolumeRoots {
  /** What containers see: `pods/<uid>/volumes/kubernetes.io~<folder>/<volume>`. */
  content: string;
  /** What the plug-in notes about it: `pods/<uid>/plugins/kubernetes.io~<folder>/<volume>`. */
  notes: string;
}

/** What volumes ask of the node. */
export interface VolumeHost {
  /** Memory that this node gives to pods; 0 where it is not known. */
  memoryBytes(): number;
  /** Where a folder was made that was to live in memory. */
  notedMemory(place: MemoryPlace): void;
  clock: Clock;
  /** Tells the pod what one of its volumes takes long for. */
  warn(pod: AssignedPod, reason: string, message: string): void;
  csi: CsiHost;
  nfs: NfsHost;
}

/** Folders of NFS servers. None of it waits for a server longer than its bound, nor makes anybody else wait. */
export interface NfsHost {
  /** Mounts one at `target`, once. Throws what the machine's mount says, and `signal.reason`, when it goes on by itself. */
  mount(
    source: NFSVolumeSource,
    place: { target: string; options: readonly string[]; signal: AbortSignal },
  ): Promise<ReadyVolume>;
  /** Unmounts what is mounted in that folder, and gives up what is about to be. Throws when one stays. */
  release(folder: string): Promise<void>;
}

/** Volumes that CSI drivers of this node put in place. */
export interface CsiHost {
  /** One that lives and ends with its pod. */
  publishInline(request: VolumeRequest<CSIVolumeSource>): Promise<ReadyVolume>;
  /** One of the cluster's. */
  publishClaimed(
    request: VolumeRequest<unknown>,
    volume: PersistentVolume,
    isReadOnly: boolean,
  ): Promise<ReadyVolume>;
  /** The file system of such a volume, which was published there, grows with it from now on. */
  keepGrown(
    volume: PersistentVolume,
    place: { pod: AssignedPod; claimName: string; volumePath: string },
    signal: AbortSignal,
  ): Promise<void>;
  /** Takes all of the pod's away, or the one of that name, whoever put them there. Throws when one stays. */
  release(uid: string, name?: string): Promise<void>;
}

/** A volume failed in another step than its set-up, which is named as upstream does: `MountVolume.MountDevice`. */
export class VolumeStepError extends Error {
  readonly step: string;

  constructor(step: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'VolumeStepError';
    this.step = step;
  }
}

/** The node can't have one more volume of that driver. */
export class NodeFullError extends VolumeStepError {
  override readonly name = 'NodeFullError';
}

/** A volume to be put in place. */
export interface VolumeRequest<Source> {
  pod: AssignedPod;
  /** The volume's name in the pod. */
  name: string;
  source: Source;
  roots: VolumeRoots;
  /** The pod's fsGroup, for a plug-in that gives its volumes to it. */
  gid: number | undefined;
  sources: PayloadSources;
  host: VolumeHost;
}

/** A volume of a pod, ready to be mounted into containers. */
export interface ReadyVolume {
  /** Path on the node; '' for one that the runtime mounts. */
  hostPath: string;
  readOnly: boolean;
  /** Another machine has its files, and may not answer: nobody looks into it before it was found to. */
  isRemote?: boolean | undefined;
  /** It is a folder whose file system's figures stand for it, though it is not the pod's alone. */
  isMeasured?: boolean | undefined;
  /** It is a block device, for `volumeDevices`. */
  isDevice?: boolean | undefined;
  /** The group that may use it: the pod's processes are of that, too. */
  group?: number | undefined;
  /** Reference of an image volume. */
  image?: string | undefined;
  /** Says what it holds, for a plug-in that keeps content current. */
  digest?: string | undefined;
  /** Its driver wants to be asked for it again from time to time, even where it {@link VolumePlugin.isSettled}. */
  isRepublished?: boolean | undefined;
  /** What upstream calls the plug-in that brings it, where its field in the pod does not say: that of a claim, a CSI driver. */
  broughtBy?: string | undefined;
}

/**
 * One type of volumes. A new one is a file in `plugins/`, named after its field, and a line in `plugins/index.ts`: the
 * volume manager and admission ask that list. Each passes test/volume-plugin-suite.ts.
 */
export interface VolumePlugin<Kind extends VolumeKind = VolumeKind> {
  /** The field of a volume that it stands for. */
  readonly name: Kind;
  /** What its folders are called below a pod's, as upstream calls them: `kubernetes.io~<folder>`. */
  readonly folder: string;
  /** What it makes of its fields, by message: pods are refused and warned by this at admission. */
  readonly supports: Readonly<Record<string, FieldVerdicts>>;
  /** Whether the pod's fsGroup owns what {@link setUp} makes. */
  readonly takesGroup: boolean;
  /** What is in place stays as it is: {@link setUp} is not asked again by the same kubelet. */
  readonly isSettled?: boolean;
  /** Whether it is filled from objects of the API server, which static pods may not need. */
  readsApi(source: NonNullable<Volume[Kind]>): boolean;
  /** Puts the volume in place; may be repeated. Throws in upstream's words what keeps it from that. */
  setUp(request: VolumeRequest<NonNullable<Volume[Kind]>>): Promise<ReadyVolume>;
  /** Keeps the content of a volume that is in place current, in one step. Without it, {@link setUp} is asked again. */
  refresh?(request: VolumeRequest<NonNullable<Volume[Kind]>>, before: ReadyVolume): Promise<ReadyVolume>;
  /** What the volume takes of the node's disk; undefined while there is none. Without it, it takes nothing there. */
  usage?(roots: VolumeRoots, signal: AbortSignal): Promise<TreeUsage | undefined>;
  /** What it mounts is unmounted by {@link tearDown} itself, not before with all other mounts of the pod. */
  readonly unmounts?: boolean;
  /**
   * Takes away what {@link setUp} made, in this process or an earlier one; may be repeated. What others mounted below is
   * gone already. Throws when something stays.
   */
  tearDown(roots: VolumeRoots, host: VolumeHost, uid: string): Promise<void>;
}
