import { stat } from 'node:fs/promises';
import type { Clock } from '@wherry/clock';
import { bytesOnDisk, measureTree, type TreeUsage } from '@wherry/linux';
import type { NodePaths } from '../../ground/node-paths.ts';
import { volumeUsageAgeMs } from '../../limits.ts';
import type { AssignedPod } from '../../pod/assigned-pod.ts';
import type { VolumeManager } from '../volumes/volume-manager.ts';

/** What one pod takes of the node's disk outside its layers and logs. */
export interface DiskFigures {
  /** Volumes on the node's disk that were measured, by name. */
  volumes: ReadonlyMap<string, TreeUsage>;
  /** Files of the node's own that the pod writes to: its hosts file, its termination messages. */
  ownFiles: TreeUsage;
}

const nothing: TreeUsage = { bytes: 0, inodes: 0 };

/**
 * Measures what pods take of the node's disk. Volumes may be large, so one pod's are measured at a time, and again only when
 * the figures are a minute old.
 */
export class DiskMeter {
  readonly #volumes: VolumeManager;
  readonly #paths: NodePaths;
  readonly #clock: Clock;
  readonly #figures = new Map<string, DiskFigures & { measuredMs: number }>();
  /** Pods whose volumes are to be measured. */
  readonly #waiting = new Map<string, AssignedPod>();
  #measuring: Promise<void> | undefined;

  constructor(options: { volumes: VolumeManager; paths: NodePaths; clock: Clock }) {
    this.#volumes = options.volumes;
    this.#paths = options.paths;
    this.#clock = options.clock;
  }

  /** What is known of a pod; undefined before it was measured. */
  of(uid: string): DiskFigures | undefined {
    return this.#figures.get(uid);
  }

  /** Resolves when the volumes of these pods, and of all that waited, are measured, or `signal` is aborted. */
  measure(pods: readonly AssignedPod[], signal: AbortSignal): Promise<void> {
    const nowMs = this.#clock.monotonicMs();
    for (const pod of pods) {
      const { measuredMs = Number.NEGATIVE_INFINITY } = this.#figures.get(pod.metadata.uid) ?? {};
      if (nowMs - measuredMs >= volumeUsageAgeMs) this.#waiting.set(pod.metadata.uid, pod);
    }
    this.#measuring ??= this.#measureAll(signal).finally(() => {
      this.#measuring = undefined;
    });
    return this.#measuring;
  }

  /** Forgets every pod but these. */
  keep(uids: ReadonlySet<string>): void {
    for (const uid of this.#figures.keys()) if (!uids.has(uid)) this.#figures.delete(uid);
  }

  /** What can't be measured, as a pod that goes meanwhile, keeps its old figures. */
  async #measureAll(signal: AbortSignal): Promise<void> {
    for (const [uid, pod] of this.#waiting) {
      this.#waiting.delete(uid);
      const work = Promise.all([this.#volumes.usage(pod, signal), this.#ownFiles(uid, signal)]);
      const measured = await work.catch(() => undefined);
      if (signal.aborted) return;
      if (!measured) continue;
      const [volumes, ownFiles] = measured;
      this.#figures.set(uid, { volumes, ownFiles, measuredMs: this.#clock.monotonicMs() });
    }
  }

  async #ownFiles(uid: string, signal: AbortSignal): Promise<TreeUsage> {
    const [hosts, messages] = await Promise.all([
      stat(this.#paths.etcHosts(uid)).catch(() => undefined),
      measureTree(this.#paths.containersDir(uid), signal).catch(() => nothing),
    ]);
    return {
      bytes: messages.bytes + (hosts ? bytesOnDisk(hosts) : 0),
      inodes: messages.inodes + (hosts ? 1 : 0),
    };
  }
}
