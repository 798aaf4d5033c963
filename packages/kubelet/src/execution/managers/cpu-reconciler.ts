import { type Clock, sleep } from '@wherry/clock';
import { ContainerState, type CriClient } from '@wherry/cri';
import type { Logger } from '@wherry/telemetry';
import { containerNameOf, type PodRecord } from '../../observation/pod-record.ts';
import type { AssignedPod } from '../../pod/assigned-pod.ts';
import { formatCpuSet } from '../../pod/cpu-set.ts';
import type { CpuManager } from '../cpus/cpu-manager.ts';

/** What running containers are kept in place with. */
export interface CpuReconcilerOptions {
  cpus: CpuManager;
  runtime: CriClient['runtime'];
  clock: Clock;
  logger: Logger;
  /** Longest time between two looks. */
  periodMs: number;
  /** Pods that run, are about to, or still stop. */
  activePods(): readonly AssignedPod[];
  record(uid: string): PodRecord | undefined;
  /** Takes back what pods have that are gone. */
  collect(): void;
}

/**
 * Moves running containers to the processors that are theirs by now: those that share get fewer when a container is given
 * some to itself, and more when it is gone. It looks when that happens, and from time to time.
 */
export class CpuReconciler {
  readonly #options: CpuReconcilerOptions;
  readonly #abort = new AbortController();
  /** What each container was last told, by its id. */
  readonly #told = new Map<string, string>();
  #wake = new AbortController();

  constructor(options: CpuReconcilerOptions) {
    this.#options = options;
  }

  /** Nothing is done where no container has processors to itself. */
  start(): void {
    if (this.#options.cpus.isStatic) void this.#run();
  }

  close(): void {
    this.#abort.abort(new Error('the kubelet is stopping'));
    this.#wake.abort();
  }

  /** Looks soon. */
  wake(): void {
    this.#wake.abort();
  }

  async #run(): Promise<void> {
    const { clock, periodMs, collect } = this.#options;
    const { signal } = this.#abort;
    while (!signal.aborted) {
      this.#wake = new AbortController();
      collect();
      await this.#reconcile(signal);
      await sleep({ clock, delayMs: periodMs, signal: this.#wake.signal }).catch(() => {});
    }
  }

  async #reconcile(signal: AbortSignal): Promise<void> {
    const live = new Set<string>();
    for (const { metadata } of this.#options.activePods()) {
      const { containers = [] } = this.#options.record(metadata.uid) ?? {};
      for (const container of containers.filter(({ state }) => state === ContainerState.CONTAINER_RUNNING)) {
        live.add(container.id);
        await this.#move(metadata.uid, containerNameOf(container), container.id, signal);
      }
    }
    for (const id of [...this.#told.keys()]) if (!live.has(id)) this.#told.delete(id);
  }

  async #move(uid: string, name: string, containerId: string, signal: AbortSignal): Promise<void> {
    const { cpus, runtime, logger } = this.#options;
    const cpusetCpus = formatCpuSet(cpus.cpusOf(uid, name));
    if (cpusetCpus === '' || this.#told.get(containerId) === cpusetCpus || signal.aborted) return;
    try {
      await runtime.updateContainerResources({ containerId, linux: { cpusetCpus } }, { signal });
      this.#told.set(containerId, cpusetCpus);
    } catch (error) {
      if (!signal.aborted)
        logger.warn('a container could not be moved to other processors', { uid, name, cpusetCpus, error });
    }
  }
}
