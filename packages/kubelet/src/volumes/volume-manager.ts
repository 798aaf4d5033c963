import { createHash } from 'node:crypto';
import { mkdir, readdir } from 'node:fs/promises';
import type { Clock } from '@wherry/clock';
import type { EmptyDirVolumeSource, Volume } from '@wherry/kubeapi';
import { OpenFolder } from '@wherry/linux';
import { type EventRecorder, podEvents } from '../events/recorder.ts';
import { volumeBackoff } from '../limits.ts';
import type { AssignedPod } from '../pod/assigned-pod.ts';
import { containersOf } from '../pod/containers.ts';
import { FailureBackoff } from '../runtime/failure-backoff.ts';
import type { NodePaths } from '../runtime/node-paths.ts';
import { writeAtomically } from './atomic-writer.ts';
import type { PodVolumes, ReadyVolume } from './container-mounts.ts';
import { placeEmptyDir } from './empty-dir.ts';
import { checkHostPath } from './host-path.ts';
import { makeMemoryFolder } from './memory-folder.ts';
import type { Payload } from './payload.ts';
import { unmountPod } from './unmount-pod.ts';
import { type PayloadSources, volumePayload } from './volume-payloads.ts';

/** What the manager is made of. */
export interface VolumeManagerOptions {
  paths: NodePaths;
  clock: Clock;
  recorder: EventRecorder;
  sources(pod: AssignedPod, signal: AbortSignal): PayloadSources;
  /** Memory that this node gives to pods. */
  nodeMemoryBytes(): number;
  /** Memory-backed folders are not to be had here: told once. */
  onDiskInstead(): void;
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

const payloadPlugins = {
  configMap: 'configmap',
  secret: 'secret',
  downwardAPI: 'downward-api',
  projected: 'projected',
};

/** Puts the volumes of pods in place, keeps their content current, and takes them away. */
export class VolumeManager {
  readonly #options: VolumeManagerOptions;
  readonly #backoff: FailureBackoff;
  readonly #written = new Map<string, string>();

  constructor(options: VolumeManagerOptions) {
    this.#options = options;
    this.#backoff = new FailureBackoff(options.clock, { ...volumeBackoff, resetMs: 2 * volumeBackoff.maxMs });
  }

  /** Every volume that a container of the pod uses, in place and current; may be repeated. Throws {@link VolumeError}. */
  async mount(pod: AssignedPod, signal: AbortSignal): Promise<PodVolumes> {
    const used = new Set(
      containersOf(pod).flatMap(({ container }) => (container.volumeMounts ?? []).map(({ name }) => name)),
    );
    const sources = this.#options.sources(pod, signal);
    const wanted = (pod.spec.volumes ?? []).filter(({ name }) => used.has(name));
    const ready = await Promise.all(
      wanted.map(async (volume) => [volume.name, await this.#setUp(pod, volume, sources)] as const),
    );
    return new Map(ready);
  }

  /** Takes a pod's volumes and folder away. Throws when something stays mounted. */
  async remove(uid: string): Promise<void> {
    const folder = this.#options.paths.podDir(uid);
    await unmountPod(folder);
    using pods = OpenFolder.at(this.#options.paths.podsDir);
    await pods.removeInTurns(uid);
    for (const key of this.#written.keys()) if (key.startsWith(`${folder}/`)) this.#written.delete(key);
  }

  /** UIDs of the pods that have a folder. */
  async podsOnDisk(): Promise<string[]> {
    return readdir(this.#options.paths.podsDir).catch(() => []);
  }

  async #setUp(pod: AssignedPod, volume: Volume, sources: PayloadSources): Promise<ReadyVolume> {
    const key = `${pod.metadata.uid}/${volume.name}`;
    try {
      return await this.#place(pod, volume, sources);
    } catch (error) {
      sources.signal.throwIfAborted();
      const message = `MountVolume.SetUp failed for volume "${volume.name}" : ${(error as Error).message}`;
      podEvents(this.#options.recorder, pod).warn('FailedMount', message);
      this.#backoff.raise(key, this.#options.clock.nowMs());
      throw new VolumeError(message, this.#backoff.delayMs(key), { cause: error });
    }
  }

  async #place(pod: AssignedPod, volume: Volume, sources: PayloadSources): Promise<ReadyVolume> {
    const { emptyDir, hostPath, image } = volume;
    if (emptyDir) return { hostPath: await this.#emptyDir(pod, volume.name, emptyDir), readOnly: false };
    if (hostPath) {
      await checkHostPath(hostPath);
      return { hostPath: hostPath.path, readOnly: false };
    }
    if (image) return { hostPath: '', readOnly: true, image: image.reference ?? '' };
    const payload = await volumePayload(volume, sources);
    if (payload) return { hostPath: await this.#payloadFolder(pod, volume, payload), readOnly: true };
    const kind = Object.keys(volume).find((name) => name !== 'name') ?? 'none';
    throw new Error(`volumes of kind ${kind} are not supported by this kubelet`);
  }

  #emptyDir(pod: AssignedPod, name: string, source: EmptyDirVolumeSource): Promise<string> {
    const { paths, nodeMemoryBytes, onDiskInstead } = this.#options;
    return placeEmptyDir({ pod, name, source, paths, nodeMemoryBytes: nodeMemoryBytes(), onDiskInstead });
  }

  async #payloadFolder(pod: AssignedPod, volume: Volume, payload: Payload): Promise<string> {
    const kind = (Object.keys(payloadPlugins) as (keyof typeof payloadPlugins)[]).find(
      (name) => volume[name],
    );
    const folder = this.#options.paths.volumeDir(
      pod.metadata.uid,
      payloadPlugins[kind ?? 'configMap'],
      volume.name,
    );
    const owned = withGroup(payload, pod.spec.securityContext?.fsGroup);
    const digest = digestOf(owned);
    if (this.#written.get(folder) === digest) return folder;
    if (kind === 'configMap') await mkdir(folder, { recursive: true });
    else await this.#memoryFolder(folder, 0, 0o777);
    await writeAtomically(folder, owned);
    this.#written.set(folder, digest);
    return folder;
  }

  async #memoryFolder(folder: string, sizeBytes: number, mode: number): Promise<void> {
    if (!(await makeMemoryFolder(folder, { sizeBytes, mode }))) this.#options.onDiskInstead();
  }
}

function withGroup(payload: Payload, gid: number | undefined): Payload {
  if (gid === undefined) return payload;
  return new Map([...payload].map(([path, file]) => [path, { ...file, gid, mode: file.mode | 0o440 }]));
}

function digestOf(payload: Payload): string {
  const hash = createHash('sha256');
  for (const [path, { bytes, mode, uid, gid }] of payload) {
    hash.update(`${path}\0${mode}\0${uid}\0${gid}\0${bytes.length}\0`).update(bytes);
  }
  return hash.digest('hex');
}
