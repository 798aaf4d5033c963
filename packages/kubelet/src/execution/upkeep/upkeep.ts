import { type Clock, sleep } from '@wherry/clock';
import type { Gauge, Logger, MetricsRegistry } from '@wherry/telemetry';
import { describe } from '../../ground/describe-error.ts';
import { FailureBackoff } from '../../ground/failure-backoff.ts';
import { garbageMs, laterRemovalPatienceMs, removalPatienceMs, volumeBackoff } from '../../limits.ts';
import type { PodCache } from '../../observation/pod-cache.ts';
import { type EventRecorder, nodeEvents } from '../../reporting/events/recorder.ts';
import type { PodCgroups } from '../cgroups/pod-cgroups.ts';
import type { ImageManager } from '../images/image-manager.ts';
import type { CsiVolumes } from '../volumes/csi/csi-volumes.ts';
import type { VolumeManager } from '../volumes/volume-manager.ts';
import type { GarbageCollector, IsKept } from './garbage-collector.ts';

/** What is kept tidy. */
export interface UpkeepOptions {
  clock: Clock;
  cache: PodCache;
  volumes: VolumeManager;
  cgroups: PodCgroups;
  images: ImageManager;
  backoff: FailureBackoff;
  collector: Pick<GarbageCollector, 'collect'>;
  csi: CsiVolumes;
  logger: Logger;
  recorder: EventRecorder;
  nodeName: string;
  metrics: MetricsRegistry;
  /** Whether the runtime may still have something of the pod running. */
  isLive(uid: string): boolean;
  /** Whether the pod has ended because the node ran short: then nothing of it is kept, its logs included. */
  isEvicted(uid: string): boolean;
  /** What is noted of pods' resources. */
  records: readonly { keep(isKept: IsKept): void }[];
}

/** What became of one pod's volumes in a turn. */
type Removal = 'done' | 'failed' | 'under way' | 'held back';

function cleanedGauges(metrics: MetricsRegistry) {
  return {
    pods: metrics.plainGauge(
      'kubelet_orphan_pod_cleaned_volumes',
      'Pods that were gone and whose volumes were taken away in the last turn.',
    ),
    failures: metrics.plainGauge(
      'kubelet_orphan_pod_cleaned_volumes_errors',
      'Pods that were gone and whose volumes could not be taken away in the last turn.',
    ),
  };
}

/** Takes away what pods leave behind. */
export class Upkeep {
  readonly #options: UpkeepOptions;
  readonly #removing = new Set<string>();
  readonly #removals: FailureBackoff;
  /** Of the last turn. */
  readonly #cleaned: { pods: Gauge; failures: Gauge };
  #collectedMs = Number.NEGATIVE_INFINITY;

  constructor(options: UpkeepOptions) {
    this.#options = options;
    this.#cleaned = cleanedGauges(options.metrics);
    this.#removals = new FailureBackoff(options.clock, {
      ...volumeBackoff,
      resetMs: 2 * volumeBackoff.maxMs,
    });
  }

  /** A pod is done: the next turn looks at containers and logs too. */
  podFinished(): void {
    this.#collectedMs = Number.NEGATIVE_INFINITY;
  }

  /** One turn of housekeeping. Containers, logs and control groups are looked at less often than the rest. */
  async collect(isKept: IsKept): Promise<void> {
    const { clock, cache, volumes, cgroups, images, backoff, collector, isLive, records, csi } =
      this.#options;
    const { isEvicted } = this.#options;
    // What runs and nobody wants is stopped first, with its volumes in place.
    const isGone = (uid: string) => !isKept(uid) && !isLive(uid);
    const left = (await volumes.podsOnDisk()).filter(isGone);
    const removals: Removal[] = [];
    for (const uid of left) {
      const patienceMs = removals.includes('under way') ? laterRemovalPatienceMs : removalPatienceMs;
      removals.push(await this.#removeVolumes(uid, patienceMs));
    }
    this.#cleaned.pods.set(removals.filter((removal) => removal !== 'held back').length);
    this.#cleaned.failures.set(removals.filter((removal) => removal === 'failed').length);
    csi.sweep();
    for (const uid of [...cache.uids]) if (!isKept(uid)) cache.forget(uid);
    for (const record of records) record.keep((uid) => isKept(uid) || isLive(uid));
    await cgroups.weighClasses();
    backoff.prune();
    images.prune();
    if (clock.monotonicMs() - this.#collectedMs < garbageMs) return;
    this.#collectedMs = clock.monotonicMs();
    await cgroups.removeStrays(isGone);
    try {
      await collector.collect((uid) => isKept(uid) && !isEvicted(uid));
    } catch (error) {
      const { recorder, nodeName, logger } = this.#options;
      nodeEvents(recorder, nodeName).warn('ContainerGCFailed', describe(error));
      logger.warn('what ended containers left behind could not be removed', { error });
    }
  }

  /** A CSI driver may be away or slow: the rest of the housekeeping does not wait for it. */
  async #removeVolumes(uid: string, patienceMs: number): Promise<Removal> {
    if (this.#removing.has(uid)) return 'held back';
    const { volumes, logger, clock } = this.#options;
    const failedMs = this.#removals.updatedMs(uid);
    if (failedMs !== undefined && this.#removals.remainingMs(uid, failedMs) > 0) return 'held back';
    this.#removing.add(uid);
    const removal = volumes.remove(uid).then(
      (): Removal => {
        this.#removals.forget(uid);
        return 'done';
      },
      (error: unknown): Removal => {
        this.#removals.raise(uid, clock.nowMs());
        logger.warn('the volumes of a pod that is gone could not be removed', { uid, error });
        return 'failed';
      },
    );
    const patience = new AbortController();
    const done = removal.finally(() => {
      this.#removing.delete(uid);
      patience.abort();
    });
    const { signal } = patience;
    const late = sleep({ clock, delayMs: patienceMs, signal }).then(
      (): Removal => 'under way',
      () => removal,
    );
    return Promise.race([done, late]);
  }
}
