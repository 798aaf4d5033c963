import type { Clock, Timer } from '@wherry/clock';
import { ClientError } from '../errors.ts';

/** Aborts a signal when nothing has been heard for a while. */
export class Watchdog {
  readonly #clock: Clock;
  readonly #silenceMs: number;
  readonly #abort = new AbortController();
  #timer: Timer;

  constructor(clock: Clock, silenceMs: number) {
    this.#clock = clock;
    this.#silenceMs = silenceMs;
    this.#timer = this.#start();
  }

  /** Aborts with a `ClientError` `unreachable`. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Something came. */
  heard(): void {
    this.#timer.cancel();
    this.#timer = this.#start();
  }

  /** Takes the timer back. */
  [Symbol.dispose](): void {
    this.#timer.cancel();
  }

  #start(): Timer {
    return this.#clock.after(this.#silenceMs, () => {
      const message = `nothing came from the server for ${this.#silenceMs / 1000} s: the connection is taken for dead`;
      this.#abort.abort(new ClientError('unreachable', message));
    });
  }
}
