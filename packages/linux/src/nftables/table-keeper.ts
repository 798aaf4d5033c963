import type { Clock, Timer } from '@wherry/clock';

/** A table of the kernel that follows what its owner wants. */
export interface KeptTable {
  /** Whether the kernel has no table yet: it then gets its fixed rules before everything is known. */
  readonly isMissing: boolean;
  /** Whether all that the table is made of is known. */
  isComplete(): boolean;
  /** Makes the table where it is missing or another version's, and takes over what it holds. */
  settle(): Promise<void>;
  /** Whether it stands where it may not stay, once all is applied: then it is settled and applied once more. Default: never. */
  readonly isPassing?: boolean | undefined;
  /** Brings the kernel to what is wanted. Throws what it refused. */
  apply(): void;
  /** Told when a table that was kept is there no more. */
  lost(): void;
  /** Told once for each message, until something succeeds. */
  failed(error: unknown): void;
}

/** How a table is kept. */
export interface TableKeeperOptions {
  table: KeptTable;
  clock: Clock;
  /** Pause before what the kernel refused is tried again. */
  retryMs: number;
  /** How often it is looked whether the table is still there: `nft flush ruleset` takes it along with all others. */
  checkMs: number;
}

/**
 * Keeps a table at what is wanted. What changes between two turns of the event loop goes into one transaction. Until
 * everything is known the table stays as it was found; where there was none, it has its fixed rules alone.
 */
export class TableKeeper {
  readonly #options: TableKeeperOptions;
  #isSettled = false;
  #timer: Timer | undefined;
  #check: Timer | undefined;
  #isCheckDue = false;
  #running: Promise<void> = Promise.resolve();
  #told: string | undefined;
  #isClosed = false;

  constructor(options: TableKeeperOptions) {
    this.#options = options;
  }

  /** Something may be to do. */
  look(): void {
    this.#timer ??= this.#options.clock.after(0, () => this.#begin());
  }

  /** Ends it; the table stays. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#timer?.cancel();
    this.#check?.cancel();
    await this.#running;
  }

  #begin(): void {
    this.#running = this.#running.then(() => this.#work());
  }

  async #work(): Promise<void> {
    this.#timer = undefined;
    if (this.#isClosed) return;
    const { table, clock, retryMs } = this.#options;
    this.#checkLater();
    try {
      if (this.#isSettled && this.#isCheckDue && table.isMissing) {
        this.#isSettled = false;
        table.lost();
      }
      this.#isCheckDue = false;
      if (!this.#isSettled && (table.isComplete() || table.isMissing)) {
        await table.settle();
        this.#isSettled = table.isComplete();
      }
      if (this.#isSettled) table.apply();
      if (this.#isSettled && table.isPassing) {
        await table.settle();
        table.apply();
      }
      this.#told = undefined;
    } catch (error) {
      this.#isSettled = false;
      const message = error instanceof Error ? error.message : 'unknown';
      if (message !== this.#told) table.failed(error);
      this.#told = message;
      this.#timer ??= clock.after(retryMs, () => this.#begin());
    }
  }

  #checkLater(): void {
    this.#check ??= this.#options.clock.after(this.#options.checkMs, () => {
      this.#check = undefined;
      this.#isCheckDue = true;
      this.#begin();
    });
  }
}
