import { limits } from '../limits.ts';
import { Semaphore } from '../store/semaphore.ts';

/** How many blobs come at the same time: in all, and from one registry. */
export class DownloadSlots {
  readonly #all = new Semaphore(limits.downloadsMax);
  readonly #registries = new Map<string, { slots: Semaphore; users: number }>();

  /** Runs a download from a registry when there is room. */
  async run<Result>(registry: string, download: () => Promise<Result>): Promise<Result> {
    const known = this.#registries.get(registry);
    const entry = known ?? { slots: new Semaphore(limits.downloadsPerRegistryMax), users: 0 };
    this.#registries.set(registry, entry);
    entry.users++;
    try {
      return await entry.slots.run(() => this.#all.run(download));
    } finally {
      if (--entry.users === 0) this.#registries.delete(registry);
    }
  }
}
