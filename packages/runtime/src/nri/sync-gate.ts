/**
 * A newcomer is told what there is between two changes, never within one: what it would have been asked about goes on
 * without it until it is listed. Who comes for a change while a newcomer waits, waits as well.
 */
export class SyncGate {
  #holders = 0;
  #synchronizing: Promise<void> | null = null;
  #freed: (() => void) | null = null;

  /** Begins a change; disposing of the answer ends it. */
  async hold(): Promise<Disposable> {
    while (this.#synchronizing) await this.#synchronizing;
    this.#holders++;
    let isHeld = true;
    return {
      [Symbol.dispose]: () => {
        if (!isHeld) return;
        isHeld = false;
        if (--this.#holders === 0) this.#freed?.();
      },
    };
  }

  /** Runs `work` while nothing changes. */
  async alone(work: () => Promise<void>): Promise<void> {
    while (this.#synchronizing) await this.#synchronizing;
    const running = this.#run(work);
    this.#synchronizing = running
      .catch(() => {})
      .finally(() => {
        this.#synchronizing = null;
      });
    await running;
  }

  async #run(work: () => Promise<void>): Promise<void> {
    if (this.#holders > 0) {
      await new Promise<void>((resolve) => {
        this.#freed = resolve;
      });
      this.#freed = null;
    }
    await work();
  }
}
