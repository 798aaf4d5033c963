import type { Clock } from '@wherry/clock';
import { measureTree, type TreeUsage } from '@wherry/linux';
import { limits } from '../limits.ts';
import { SingleFlight } from '../state/single-flight.ts';

/** What a folder takes on disk. */
export interface FolderUsage extends TreeUsage {
  /** When it was measured, milliseconds since the epoch. */
  measuredAtMs: number;
}

/** Sizes of writable layers: measured in the background, answered from memory. */
export class LayerUsage {
  readonly #clock: Clock;
  readonly #known = new Map<string, FolderUsage>();
  readonly #measuring = new SingleFlight<FolderUsage>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * The size of a folder as measured last. The first time it is measured at once; an old figure is answered while a
   * new one is taken behind the caller's back, so that a large layer delays nobody.
   */
  async usage(folder: string): Promise<FolderUsage> {
    const known = this.#known.get(folder);
    const isFresh = known !== undefined && this.#clock.nowMs() - known.measuredAtMs < limits.layerUsageAgeMs;
    if (isFresh) return known;
    const measuring = this.#measuring.run(folder, () => this.#measure(folder));
    if (known === undefined) return measuring;
    // A folder that vanished meanwhile is forgotten with its container.
    measuring.catch(() => {});
    return known;
  }

  /** Forgets a folder that is gone. */
  forget(folder: string): void {
    this.#known.delete(folder);
  }

  async #measure(folder: string): Promise<FolderUsage> {
    const usage = { ...(await measureTree(folder)), measuredAtMs: this.#clock.nowMs() };
    this.#known.set(folder, usage);
    return usage;
  }
}
