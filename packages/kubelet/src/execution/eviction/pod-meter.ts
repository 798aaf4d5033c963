import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { orAborted } from '@wherry/bytes';
import type { Clock } from '@wherry/clock';
import type { ContainerStats, CriClient } from '@wherry/cri';
import { bytesOnDisk, measureTree, type TreeUsage } from '@wherry/linux';
import type { NodePaths } from '../../ground/node-paths.ts';
import { volumeUsageAgeMs } from '../../limits.ts';
import { logUsage } from '../../logs/log-usage.ts';
import type { AssignedPod } from '../../pod/assigned-pod.ts';
import type { VolumeManager } from '../volumes/volume-manager.ts';
import type { ContainerUsage, PodUsage } from './pod-usage.ts';

/** What the meter is made of. */
export interface PodMeterOptions {
  runtime: CriClient['runtime'];
  volumes: VolumeManager;
  paths: NodePaths;
  clock: Clock;
}

interface DiskFigures extends Pick<PodUsage, 'volumes' | 'ownFiles'> {
  measuredMs: number;
}

const nothing: TreeUsage = { bytes: 0, inodes: 0 };

/**
 * Measures what pods take: memory, processes and layers as the runtime says, logs and volumes on disk. Volumes may be large,
 * so one pod's are measured at a time, and again only when the figures are a minute old.
 */
export class PodMeter {
  readonly #options: PodMeterOptions;
  readonly #figures = new Map<string, DiskFigures>();
  /** Pods whose volumes are to be measured. */
  readonly #waiting = new Map<string, AssignedPod>();
  #measuring: Promise<void> | undefined;

  constructor(options: PodMeterOptions) {
    this.#options = options;
  }

  /**
   * What each of the pods takes, by UID; one that the runtime says nothing of is left out. Waits for volumes that were never
   * measured; when `patience` ends, without them. Rejects with what the runtime says, and with `signal.reason`.
   */
  async measure(
    pods: readonly AssignedPod[],
    { signal, patience }: { signal: AbortSignal; patience: AbortSignal },
  ): Promise<ReadonlyMap<string, PodUsage>> {
    const { stats } = await this.#options.runtime.listPodSandboxStats({}, { signal });
    await orAborted(this.#measureVolumes(pods, signal), patience).catch(() => {});
    signal.throwIfAborted();
    const known = new Map(stats.map((entry) => [entry.attributes?.metadata?.uid ?? '', entry.linux]));
    const usages = new Map<string, PodUsage>();
    for (const pod of pods) {
      const { uid } = pod.metadata;
      const linux = known.get(uid);
      if (!linux) continue;
      usages.set(uid, {
        memoryBytes: linux.memory?.workingSetBytes?.value ?? 0,
        processes: linux.process?.processCount?.value ?? 0,
        containers: linux.containers.map((container) => this.#containerUsage(pod, container)),
        volumes: this.#figures.get(uid)?.volumes ?? new Map(),
        ownFiles: this.#figures.get(uid)?.ownFiles ?? nothing,
      });
    }
    return usages;
  }

  /** Forgets every pod but these. */
  keep(uids: ReadonlySet<string>): void {
    for (const uid of this.#figures.keys()) if (!uids.has(uid)) this.#figures.delete(uid);
  }

  #containerUsage(pod: AssignedPod, stats: ContainerStats): ContainerUsage {
    const { attributes, memory, writableLayer } = stats;
    const name = attributes?.metadata?.name ?? '';
    return {
      name,
      memoryBytes: memory?.workingSetBytes?.value,
      layer: {
        bytes: writableLayer?.usedBytes?.value ?? 0,
        inodes: writableLayer?.inodesUsed?.value ?? 0,
      },
      logs: logUsage(join(this.#options.paths.podLogDir(pod), name, '0.log')),
    };
  }

  /** Resolves when the volumes of these pods, and of all that waited, are measured. */
  #measureVolumes(pods: readonly AssignedPod[], signal: AbortSignal): Promise<void> {
    const nowMs = this.#options.clock.monotonicMs();
    for (const pod of pods) {
      const { measuredMs = Number.NEGATIVE_INFINITY } = this.#figures.get(pod.metadata.uid) ?? {};
      if (nowMs - measuredMs >= volumeUsageAgeMs) this.#waiting.set(pod.metadata.uid, pod);
    }
    this.#measuring ??= this.#measureAll(signal).finally(() => {
      this.#measuring = undefined;
    });
    return this.#measuring;
  }

  /** What can't be measured, as a pod that goes meanwhile, keeps its old figures. */
  async #measureAll(signal: AbortSignal): Promise<void> {
    const { volumes, clock } = this.#options;
    for (const [uid, pod] of this.#waiting) {
      this.#waiting.delete(uid);
      const work = Promise.all([volumes.usage(pod, signal), this.#ownFiles(uid, signal)]);
      const measured = await work.catch(() => undefined);
      if (signal.aborted) return;
      if (!measured) continue;
      const [ofVolumes, ownFiles] = measured;
      this.#figures.set(uid, { volumes: ofVolumes, ownFiles, measuredMs: clock.monotonicMs() });
    }
  }

  async #ownFiles(uid: string, signal: AbortSignal): Promise<TreeUsage> {
    const { paths } = this.#options;
    const [hosts, messages] = await Promise.all([
      stat(paths.etcHosts(uid)).catch(() => undefined),
      measureTree(paths.containersDir(uid), signal).catch(() => nothing),
    ]);
    return {
      bytes: messages.bytes + (hosts ? bytesOnDisk(hosts) : 0),
      inodes: messages.inodes + (hosts ? 1 : 0),
    };
  }
}
