/** How a group reaches the disk. */
export interface CommitGroupOptions {
  begin(): void;
  /** Makes everything since `begin` durable, or throws. */
  commit(): void;
  rollback(): void;
}

interface Member {
  settle(): void;
  fail(error: Error): void;
}

/**
 * Writes that arrive in one turn of the event loop share one transaction, and so one disk flush. A member's promise
 * settles after the commit; when the commit fails all members fail together.
 */
export class CommitGroup {
  readonly #options: CommitGroupOptions;
  #members: Member[] = [];
  #scheduled: NodeJS.Immediate | undefined;

  constructor(options: CommitGroupOptions) {
    this.#options = options;
  }

  /** Runs `work` inside the open transaction; resolves with its result once that is durable. */
  add<T>(work: () => T): Promise<T> {
    if (!this.#scheduled) {
      this.#options.begin();
      this.#scheduled = setImmediate(() => this.flush());
    }
    const result = work();
    return new Promise<T>((resolve, reject) => {
      this.#members.push({ settle: () => resolve(result), fail: reject });
    });
  }

  /** Commits now what is open. */
  flush(): void {
    if (!this.#scheduled) return;
    clearImmediate(this.#scheduled);
    this.#scheduled = undefined;
    const members = this.#members;
    this.#members = [];
    try {
      this.#options.commit();
    } catch (error) {
      this.#options.rollback();
      for (const member of members) member.fail(error as Error);
      return;
    }
    for (const member of members) member.settle();
  }
}
