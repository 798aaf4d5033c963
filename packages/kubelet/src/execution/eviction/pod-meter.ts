import { join } from 'node:path';
import { orAborted } from '@wherry/bytes';
import type { ContainerStats, CriClient } from '@wherry/cri';
import type { TreeUsage } from '@wherry/linux';
import type { NodePaths } from '../../ground/node-paths.ts';
import { logUsage } from '../../logs/log-usage.ts';
import type { AssignedPod } from '../../pod/assigned-pod.ts';
import type { DiskMeter } from './disk-meter.ts';
import type { ContainerUsage, PodUsage } from './pod-usage.ts';

/** What the meter is made of. */
export interface PodMeterOptions {
  runtime: CriClient['runtime'];
  disk: DiskMeter;
  paths: NodePaths;
}

const nothing: TreeUsage = { bytes: 0, inodes: 0 };

/** Measures what pods take: memory, processes and layers as the runtime says, logs and volumes on disk. */
export class PodMeter {
  readonly #options: PodMeterOptions;

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
    const { runtime, disk } = this.#options;
    const { stats } = await runtime.listPodSandboxStats({}, { signal });
    await orAborted(disk.measure(pods, signal), patience).catch(() => {});
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
        volumes: disk.of(uid)?.volumes ?? new Map(),
        ownFiles: disk.of(uid)?.ownFiles ?? nothing,
      });
    }
    return usages;
  }

  /** Forgets every pod but these. */
  keep(uids: ReadonlySet<string>): void {
    this.#options.disk.keep(uids);
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
}
