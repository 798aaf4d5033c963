/** Lets a fixed number of tasks run at a time; the others wait in order. */
export class Semaphore {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(slots: number) {
    this.#free = slots;
  }

  /** Waits for a slot, and answers what gives it back; more than once is harmless. */
  async take(): Promise<() => void> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free++;
    };
  }

  async run<Result>(task: () => Promise<Result>): Promise<Result> {
    const release = await this.take();
    try {
      return await task();
    } finally {
      release();
    }
  }
}
