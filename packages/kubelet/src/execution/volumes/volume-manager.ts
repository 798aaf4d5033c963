import { readdir } from 'node:fs/promises';
import type { Clock } from '@wherry/clock';
import type { Volume } from '@wherry/kubeapi';
import { OpenFolder, type TreeUsage } from '@wherry/linux';
import { FailureBackoff } from '../../ground/failure-backoff.ts';
import type { NodePaths } from '../../ground/node-paths.ts';
import { volumeBackoff } from '../../limits.ts';
import type { AssignedPod } from '../../pod/assigned-pod.ts';
import { containersOf } from '../../pod/containers.ts';
import { type EventRecorder, podEvents } from '../../reporting/events/recorder.ts';
import { ClaimError } from '../inputs/claimed-volume.ts';
import type { PayloadSources } from '../inputs/payload-sources.ts';
import type { PodVolumes } from './container-mounts.ts';
import { unmountPod } from './unmount-pod.ts';
import {
  NodeFullError,
  type ReadyVolume,
  type VolumeHost,
  type VolumePlugin,
  type VolumeRoots,
  VolumeStepError,
} from './volume-plugin.ts';
import type { VolumeTimes } from './volume-times.ts';

/** What the manager is made of. */
export interface VolumeManagerOptions {
  plugins: readonly VolumePlugin[];
  paths: NodePaths;
  clock: Clock;
  recorder: EventRecorder;
  host: VolumeHost;
  times?: VolumeTimes;
  sources(pod: AssignedPod, signal: AbortSignal): PayloadSources;
}

/** A volume that is not in place. `retryAfterMs` says when to try again. */
export class VolumeError extends Error {
  readonly code = 'volume-not-ready';
  readonly retryAfterMs: number;

  constructor(message: string, retryAfterMs: number, options?: ErrorOptions) {
    super(message, options);
    this.name = 'VolumeError';
    this.retryAfterMs = retryAfterMs;
  }
}

/** The pod has volumes that this node can't have beside those it has: it has to go elsewhere. */
export class NoRoomError extends VolumeError {
  constructor(failures: ReadonlyMap<string, unknown>) {
    const [first] = [...failures.values()].filter((error) => error instanceof VolumeError);
    super(
      `Node has reached its volume attachment limit, rejecting pod. ${missing(failures)}: context deadline exceeded`,
      first?.retryAfterMs ?? 0,
      { cause: first },
    );
    this.name = 'NoRoomError';
  }
}

/** Which volumes are not in place, by how far they came. */
function missing(failures: ReadonlyMap<string, unknown>): string {
  const those = (isMeant: (error: unknown) => boolean) => {
    const names = [...failures].filter(([, error]) => isMeant(error)).map(([name]) => name);
    return `[${names.sort().join(' ')}]`;
  };
  const unattached = those((error) => stepOf(error) === 'MountVolume.WaitForAttach');
  return `unmounted volumes=${those(() => true)}, unattached volumes=${unattached}, failed to process volumes=${those(isUnprocessed)}`;
}

const isUnprocessed = (error: unknown) => (error as Error).cause instanceof ClaimError;

function stepOf(error: unknown): string | undefined {
  const { cause } = error as Error;
  return cause instanceof VolumeStepError ? cause.step : undefined;
}

/** Puts the volumes of pods in place, keeps their content current, and takes them away: by plug-ins, whatever they are. */
export class VolumeManager {
  readonly #options: VolumeManagerOptions;
  readonly #backoff: FailureBackoff;
  /** Volumes that this process has put in place, by pod and name. */
  readonly #ready = new Map<string, Map<string, ReadyVolume>>();

  constructor(options: VolumeManagerOptions) {
    this.#options = options;
    this.#backoff = new FailureBackoff(options.clock, { ...volumeBackoff, resetMs: 2 * volumeBackoff.maxMs });
  }

  /**
   * Every volume that a container of the pod uses, in place and current; may be repeated. Throws {@link VolumeError}, and
   * {@link NoRoomError} where waiting does not help; one that is in place and can't be made current says so by an event, and is used as it is.
   */
  async mount(pod: AssignedPod, signal: AbortSignal): Promise<PodVolumes> {
    const used = new Set(
      containersOf(pod).flatMap(({ container: { volumeMounts = [], volumeDevices = [] } }) =>
        [...volumeMounts, ...volumeDevices].map(({ name }) => name),
      ),
    );
    const sources = this.#options.sources(pod, signal);
    const wanted = (pod.spec.volumes ?? []).filter(({ name }) => used.has(name));
    // One that fails waits for the others: the next pass would set these up a second time while they are under way.
    const ready = await Promise.allSettled(
      wanted.map(async (volume) => [volume.name, await this.#setUp(pod, volume, sources)] as const),
    );
    const failures = new Map(
      ready.flatMap((each, at) =>
        each.status === 'rejected' ? [[wanted[at]?.name ?? '', each.reason as unknown]] : [],
      ),
    );
    for (const error of failures.values())
      if ((error as Error).cause instanceof NodeFullError) throw new NoRoomError(failures);
    const unprocessed = [...failures.values()].filter(isUnprocessed).map((error) => (error as Error).message);
    if (unprocessed.length > 0) {
      const message = `Unable to attach or mount volumes: ${missing(failures)}: ${unprocessed.join('; ')}`;
      podEvents(this.#options.recorder, pod).warn('FailedMount', message);
    }
    for (const error of failures.values()) throw error;
    return new Map(ready.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : [])));
  }

  /** Takes a pod's volumes and folder away. Throws when something stays mounted. */
  async remove(uid: string): Promise<void> {
    const { plugins, paths, host } = this.#options;
    const unmounting = plugins.filter(({ unmounts }) => unmounts);
    const left = unmounting.map(({ folder }) => paths.volumesDir(uid, folder));
    // First what nobody may look at while its server does not answer.
    await host.nfs.release(paths.podDir(uid));
    await unmountPod(paths.podDir(uid), left);
    await host.csi.release(uid);
    for (const plugin of plugins) {
      for (const name of await namesIn(paths.volumesDir(uid, plugin.folder))) {
        await plugin.tearDown(this.#roots(uid, plugin, name), host, uid);
      }
    }
    using pods = OpenFolder.at(paths.podsDir);
    await pods.removeInTurns(uid);
    this.#ready.delete(uid);
    this.#backoff.forget(`${uid}/`);
    this.#options.times?.forget(uid);
  }

  /** The volumes that this process has put in place on the node, by name; none of those the runtime mounts or another machine has. */
  placesOf(uid: string): ReadonlyMap<string, ReadyVolume> {
    const ready = [...(this.#ready.get(uid) ?? [])];
    return new Map(ready.filter(([, { hostPath, isRemote }]) => hostPath !== '' && !isRemote));
  }

  /** What the pod's volumes take of the node's disk, by name; those that take nothing there are left out. */
  async usage(pod: AssignedPod, signal: AbortSignal): Promise<ReadonlyMap<string, TreeUsage>> {
    const usages = new Map<string, TreeUsage>();
    for (const volume of pod.spec.volumes ?? []) {
      const plugin = this.#pluginOf(volume);
      const roots = plugin && this.#roots(pod.metadata.uid, plugin, volume.name);
      if (!roots || !plugin.usage) continue;
      const measure = () => plugin.usage?.(roots, signal) ?? Promise.resolve(undefined);
      const usage = await (this.#options.times?.measured('du', measure) ?? measure());
      if (usage) usages.set(volume.name, usage);
    }
    return usages;
  }

  /** How many volumes of these pods there should be, and how many are in place, by upstream's name of the plug-in. */
  census(pods: Iterable<AssignedPod>): ReadonlyMap<string, { wanted: number; ready: number }> {
    const counts = new Map(
      this.#options.plugins.map((plugin): [string, { wanted: number; ready: number }] => [
        pluginName(plugin),
        { wanted: 0, ready: 0 },
      ]),
    );
    for (const pod of pods) {
      const ready = this.#ready.get(pod.metadata.uid);
      for (const volume of pod.spec.volumes ?? []) {
        const plugin = this.#pluginOf(volume);
        if (!plugin) continue;
        const name = bringerOf(plugin, ready?.get(volume.name));
        const count = counts.get(name) ?? { wanted: 0, ready: 0 };
        counts.set(name, count);
        count.wanted += 1;
        if (ready?.has(volume.name)) count.ready += 1;
      }
    }
    return counts;
  }

  /** UIDs of the pods that have a folder. */
  async podsOnDisk(): Promise<string[]> {
    return namesIn(this.#options.paths.podsDir);
  }

  async #setUp(pod: AssignedPod, volume: Volume, sources: PayloadSources): Promise<ReadyVolume> {
    const key = `${pod.metadata.uid}/${volume.name}`;
    const before = this.#ready.get(pod.metadata.uid)?.get(volume.name);
    const plugin = this.#pluginOf(volume);
    const tried = plugin && this.#options.times?.begin(key);
    try {
      const ready = await this.#place(pod, volume, sources);
      if (plugin && !before) tried?.(bringerOf(plugin, ready), true);
      return ready;
    } catch (error) {
      sources.signal.throwIfAborted();
      if (plugin) tried?.(bringerOf(plugin, before), false);
      const step = error instanceof VolumeStepError ? error.step : 'MountVolume.SetUp';
      const isOfClaim = error instanceof ClaimError;
      const text = (error as Error).message;
      const message = isOfClaim ? text : `${step} failed for volume "${volume.name}" : ${text}`;
      const reason = step.startsWith('MapVolume') ? 'FailedMapVolume' : 'FailedMount';
      // Which volumes a claim keeps from their pod is told once, of all of them.
      if (!isOfClaim) podEvents(this.#options.recorder, pod).warn(reason, message);
      if (before) return before;
      this.#backoff.raise(key, this.#options.clock.nowMs());
      throw new VolumeError(message, this.#backoff.delayMs(key), { cause: error });
    }
  }

  #pluginOf(volume: Volume): VolumePlugin | undefined {
    return this.#options.plugins.find(({ name }) => volume[name]);
  }

  async #place(pod: AssignedPod, volume: Volume, sources: PayloadSources): Promise<ReadyVolume> {
    const { host } = this.#options;
    const { name } = volume;
    const { uid } = pod.metadata;
    const plugin = this.#pluginOf(volume);
    const source = plugin && volume[plugin.name];
    if (!source) {
      const kind = Object.keys(volume).find((field) => field !== 'name') ?? 'none';
      throw new Error(`volumes of kind ${kind} are not supported by this kubelet`);
    }
    const roots = this.#roots(uid, plugin, name);
    const gid = plugin.takesGroup ? pod.spec.securityContext?.fsGroup : undefined;
    const request = { pod, name, source, roots, gid, sources, host };
    const ofPod = this.#ready.get(uid) ?? new Map<string, ReadyVolume>();
    const before = ofPod.get(name);
    if (before && plugin.isSettled && !before.isRepublished) return before;
    const ready =
      before && plugin.refresh ? await plugin.refresh(request, before) : await plugin.setUp(request);
    this.#ready.set(uid, ofPod.set(name, ready));
    return ready;
  }

  #roots(uid: string, { folder }: VolumePlugin, name: string): VolumeRoots {
    const { paths } = this.#options;
    return {
      content: paths.volumeDir(uid, folder, name),
      notes: paths.volumeNotesDir(uid, folder, name),
    };
  }
}

/** Upstream's name of what brings a volume; of a claim it is known once that is in place. */
const bringerOf = (plugin: VolumePlugin, ready: ReadyVolume | undefined) =>
  ready?.broughtBy ?? pluginName(plugin);

const pluginName = ({ folder }: VolumePlugin) => `kubernetes.io/${folder}`;

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}
