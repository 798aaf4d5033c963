import { onAbort } from '@wherry/bytes';
import type { Clock } from '@wherry/clock';
/** Lets a bounded number of pulls run at once; the rest wait in order. */
export class PullQueue {
  readonly #parallel: number;
  readonly #clock: Clock;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(parallel: number, clock: Clock) {
    this.#clock = clock;
    this.#parallel = parallel;
  }

  /** Runs `pull` when its turn comes and tells how long that took. Rejects with `signal.reason` while waiting. */
  async run<T>(pull: () => Promise<T>, signal: AbortSignal): Promise<{ result: T; waitedMs: number }> {
    const askedMs = this.#clock.monotonicMs();
    await this.#turn(signal);
    try {
      return { waitedMs: this.#clock.monotonicMs() - askedMs, result: await pull() };
    } finally {
      this.#running -= 1;
      this.#waiting.shift()?.();
    }
  }

  #turn(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#running < this.#parallel) {
      this.#running += 1;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const enter = () => {
        leave();
        this.#running += 1;
        resolve();
      };
      this.#waiting.push(enter);
      const leave = onAbort(signal, (reason) => {
        this.#waiting.splice(this.#waiting.indexOf(enter), 1);
        reject(reason);
      });
    });
  }
}
