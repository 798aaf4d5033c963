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

  /**
   * Runs `work` inside the open transaction; resolves with its result once that is durable. When `work` throws it may
   * have left half a write behind, so the whole group is undone.
   */
  async add<T>(work: () => T): Promise<T> {
    if (!this.#scheduled) {
      this.#options.begin();
      this.#scheduled = setImmediate(() => this.flush());
    }
    let result: T;
    try {
      result = work();
    } catch (error) {
      this.#undo(this.#take(), error as Error);
      throw error;
    }
    return new Promise<T>((resolve, reject) => {
      this.#members.push({ settle: () => resolve(result), fail: reject });
    });
  }

  /** Commits now what is open. */
  flush(): void {
    if (!this.#scheduled) return;
    const members = this.#take();
    try {
      this.#options.commit();
    } catch (error) {
      this.#undo(members, error as Error);
      return;
    }
    for (const member of members) member.settle();
  }

  #take(): Member[] {
    clearImmediate(this.#scheduled);
    this.#scheduled = undefined;
    const members = this.#members;
    this.#members = [];
    return members;
  }

  #undo(members: Member[], error: Error): void {
    this.#options.rollback();
    for (const member of members) member.fail(error);
  }
}
