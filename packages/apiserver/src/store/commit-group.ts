/** How a group reaches the disk. */
export interface CommitGroupOptions {
  begin(): void;
  /** Ends the transaction; what it wrote need not be durable yet. Throws when it could not. */
  commit(): void;
  /** Undoes what was written since `begin`. */
  rollback(): void;
  /** Whether an error of the above three leaves it in doubt what is stored. */
  isFatal(error: Error): boolean;
  /** Makes everything that was committed durable. After a rejection nothing can be vouched for any more. */
  sync(): Promise<void>;
  /** What was committed before the last `sync` is durable. Runs before anybody is told. */
  durable(): void;
  /** Nothing can be stored any more. Runs before anybody is told, and once. */
  broken(error: Error): void;
}

interface Member {
  settle(): void;
  fail(error: Error): void;
}

/**
 * Writes that arrive in one turn of the event loop share one transaction, and so one flush of the disk; those that
 * arrive during a flush share the next. A member's promise settles after the flush; when it fails all fail together.
 */
export class CommitGroup {
  readonly #options: CommitGroupOptions;
  /** In the open transaction. */
  #open: Member[] = [];
  /** Committed, waiting for the flush. */
  #syncing: Member[] = [];
  #isOpen = false;
  #isSyncing = false;
  #isBroken = false;

  constructor(options: CommitGroupOptions) {
    this.#options = options;
  }

  /**
   * Runs `work` inside the open transaction; resolves with its result once that is durable. When `work` throws it may
   * have left half a write behind, so the whole transaction is undone.
   */
  async add<T>(work: () => T): Promise<T> {
    let result: T;
    try {
      if (!this.#isOpen) this.#begin();
      result = work();
    } catch (error) {
      this.#undo(error as Error);
      throw error;
    }
    return new Promise<T>((resolve, reject) => {
      this.#open.push({ settle: () => resolve(result), fail: reject });
    });
  }

  /** Resolves when everything that was added so far is durable, or has failed. */
  settled(): Promise<void> {
    if (this.#isBroken || (!this.#isOpen && !this.#isSyncing)) return Promise.resolve();
    return new Promise((resolve) => {
      (this.#isOpen ? this.#open : this.#syncing).push({ settle: resolve, fail: () => resolve() });
    });
  }

  #begin(): void {
    this.#options.begin();
    this.#isOpen = true;
    if (!this.#isSyncing) setImmediate(() => this.#commit());
  }

  #commit(): void {
    // The transaction may have been undone, or taken along when a flush ended.
    if (!this.#isOpen || this.#isSyncing || this.#isBroken) return;
    try {
      this.#options.commit();
    } catch (error) {
      this.#undo(error as Error);
      return;
    }
    this.#isOpen = false;
    this.#isSyncing = true;
    this.#syncing = this.#open;
    this.#open = [];
    this.#options.sync().then(
      () => this.#finish(),
      (error: Error) => this.#break(error),
    );
  }

  #finish(): void {
    if (this.#isBroken) return;
    const members = this.#syncing;
    this.#syncing = [];
    this.#isSyncing = false;
    this.#options.durable();
    for (const member of members) member.settle();
    this.#commit();
  }

  #undo(error: Error): void {
    const failure = this.#options.isFatal(error) ? error : this.#rollBack();
    if (failure) {
      this.#break(failure);
      return;
    }
    this.#isOpen = false;
    const members = this.#open;
    this.#open = [];
    for (const member of members) member.fail(error);
  }

  #rollBack(): Error | undefined {
    try {
      this.#options.rollback();
      return undefined;
    } catch (error) {
      return error as Error;
    }
  }

  /** The end: whatever waits fails, and a flush that is under way vouches for nothing. */
  #break(error: Error): void {
    if (this.#isBroken) return;
    this.#isBroken = true;
    const members = [...this.#syncing, ...this.#open];
    this.#syncing = [];
    this.#open = [];
    this.#options.broken(error);
    for (const member of members) member.fail(error);
  }
}
