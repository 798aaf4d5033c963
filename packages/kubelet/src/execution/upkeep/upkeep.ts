import type { Clock } from '@wherry/clock';
import type { FailureBackoff } from '../../ground/failure-backoff.ts';
import { garbageMs } from '../../limits.ts';
import type { PodCache } from '../../observation/pod-cache.ts';
import type { PodCgroups } from '../cgroups/pod-cgroups.ts';
import type { ImageManager } from '../images/image-manager.ts';
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
  collector: GarbageCollector;
  /** Whether the runtime may still have something of the pod running. */
  isLive(uid: string): boolean;
}

/** Takes away what pods leave behind. */
export class Upkeep {
  readonly #options: UpkeepOptions;
  #collectedMs = Number.NEGATIVE_INFINITY;

  constructor(options: UpkeepOptions) {
    this.#options = options;
  }

  /** A pod is done: the next turn looks at containers and logs too. */
  podFinished(): void {
    this.#collectedMs = Number.NEGATIVE_INFINITY;
  }

  /** One turn of housekeeping. Containers, logs and control groups are looked at less often than the rest. */
  async collect(isKept: IsKept): Promise<void> {
    const { clock, cache, volumes, cgroups, images, backoff, collector, isLive } = this.#options;
    // What runs and nobody wants is stopped first, with its volumes in place.
    const isGone = (uid: string) => !isKept(uid) && !isLive(uid);
    for (const uid of await volumes.podsOnDisk()) if (isGone(uid)) await volumes.remove(uid);
    for (const uid of [...cache.uids]) if (!isKept(uid)) cache.forget(uid);
    cgroups.weighClasses();
    backoff.prune();
    images.prune();
    if (clock.monotonicMs() - this.#collectedMs < garbageMs) return;
    this.#collectedMs = clock.monotonicMs();
    cgroups.removeStrays(isGone);
    await collector.collect(isKept);
  }
}
