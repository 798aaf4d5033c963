import type { Tick, Ticks } from './ticks.ts';

/** Options of {@link IdleTimer}. */
export interface IdleTimerOptions {
  clock: Ticks;
  timeoutMs: number;
  /** Called once, when nothing was touched for `timeoutMs`. */
  onIdle(): void;
}

/** Notices that nothing has happened for a while. Touching it costs one clock reading, not a timer. */
export class IdleTimer {
  readonly #options: IdleTimerOptions;
  #lastActivityMs: number;
  #timer: Tick;

  constructor(options: IdleTimerOptions) {
    this.#options = options;
    this.#lastActivityMs = options.clock.monotonicMs();
    this.#timer = this.#arm(options.timeoutMs);
  }

  /** Something happened. */
  touch(): void {
    this.#lastActivityMs = this.#options.clock.monotonicMs();
  }

  /** Lets go of the timer. */
  stop(): void {
    this.#timer.cancel();
  }

  #arm(delayMs: number): Tick {
    return this.#options.clock.after(delayMs, () => this.#check());
  }

  #check(): void {
    const { clock, timeoutMs, onIdle } = this.#options;
    const leftMs = this.#lastActivityMs + timeoutMs - clock.monotonicMs();
    if (leftMs > 0) this.#timer = this.#arm(leftMs);
    else onIdle();
  }
}
