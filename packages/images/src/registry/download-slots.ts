import type { Clock, Timer } from '@wherry/clock';
import { limits } from '../limits.ts';
import { Semaphore } from '../store/semaphore.ts';

/** A download, which says of each piece how many bytes it had. */
export type Download<Result> = (received: (bytes: number) => void) => Promise<Result>;

/**
 * How many blobs come at the same time: in all, and from one registry. One that hardly moves gives its slot among all to others and goes on
 * beside them, so that nobody's registry holds up the pulls of the others.
 */
export class DownloadSlots {
  readonly #clock: Clock;
  readonly #all = new Semaphore(limits.downloadsMax);
  readonly #registries = new Map<string, { slots: Semaphore; users: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Runs a download from a registry when there is room. */
  async run<Result>(registry: string, download: Download<Result>): Promise<Result> {
    const known = this.#registries.get(registry);
    const entry = known ?? { slots: new Semaphore(limits.downloadsPerRegistryMax), users: 0 };
    this.#registries.set(registry, entry);
    entry.users++;
    try {
      return await entry.slots.run(() => this.#runAmongAll(download));
    } finally {
      if (--entry.users === 0) this.#registries.delete(registry);
    }
  }

  async #runAmongAll<Result>(download: Download<Result>): Promise<Result> {
    const release = await this.#all.take();
    let bytes = 0;
    let timer: Timer;
    const look = () => {
      if (bytes < limits.slowDownloadBytes) return release();
      bytes = 0;
      timer = this.#clock.after(limits.slowDownloadMs, look);
    };
    timer = this.#clock.after(limits.slowDownloadMs, look);
    try {
      return await download((count) => {
        bytes += count;
      });
    } finally {
      timer.cancel();
      release();
    }
  }
}
