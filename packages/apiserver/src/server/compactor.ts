import type { Clock, Timer } from '@wherry/clock';
import type { Logger } from '@wherry/telemetry';
import { periods } from '../limits.ts';
import { StoreError } from '../store/errors.ts';
import type { Store } from '../store/store.ts';

/** Forgets history that is older than one period, once per period, as upstream does every five minutes. */
export class Compactor {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #logger: Logger;
  #timer: Timer | undefined;
  #lastRevision = 0;

  constructor(store: Store, clock: Clock, logger: Logger) {
    this.#store = store;
    this.#clock = clock;
    this.#logger = logger;
  }

  start(): void {
    this.#timer = this.#clock.after(periods.compactionMs, () => {
      this.#compact().catch((error: Error) => {
        const isClosing = error instanceof StoreError && error.code === 'closed';
        if (!isClosing) this.#logger.error('compaction failed', { error });
      });
      this.start();
    });
  }

  close(): void {
    this.#timer?.cancel();
  }

  async #compact(): Promise<void> {
    const revision = await this.#store.revision();
    if (this.#lastRevision > 0) await this.#store.compact(this.#lastRevision);
    this.#lastRevision = revision;
  }
}
