import type { Clock, Timer } from '@wherry/clock';
import { systemClock } from '@wherry/clock';

/** What {@link Liveness} watches and does. */
export interface LivenessOptions {
  clock?: Clock | undefined;
  /** Time between two beats. */
  intervalMs: number;
  /** Silence that ends the connection. */
  silenceTimeoutMs: number;
  /** True while we do not read: then silence is ours, not the peer's. */
  isPaused(): boolean;
  /** Called on each beat. */
  beat(): void;
  /** Called once, after which the watch is over. */
  onSilence(silentMs: number): void;
}

/** Beats at an interval and notices a peer that has gone silent. Any sign of life counts, not only pongs. */
export class Liveness {
  readonly #options: LivenessOptions;
  readonly #clock: Clock;
  #heardMs: number;
  #silenceTimeoutMs: number;
  #timer: Timer | undefined;

  constructor(options: LivenessOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#heardMs = this.#clock.monotonicMs();
    this.#silenceTimeoutMs = options.silenceTimeoutMs;
    this.#schedule();
  }

  /** The peer gave a sign of life. */
  heard(): void {
    this.#heardMs = this.#clock.monotonicMs();
  }

  /** From now on silence may last no longer than this. */
  limitSilence(timeoutMs: number): void {
    this.#silenceTimeoutMs = Math.min(this.#silenceTimeoutMs, timeoutMs);
  }

  stop(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  #schedule(): void {
    this.#timer = this.#clock.after(this.#options.intervalMs, () => this.#tick());
  }

  #tick(): void {
    if (this.#options.isPaused()) this.heard();
    const silentMs = this.#clock.monotonicMs() - this.#heardMs;
    if (silentMs > this.#silenceTimeoutMs) {
      this.stop();
      this.#options.onSilence(silentMs);
      return;
    }
    this.#options.beat();
    this.#schedule();
  }
}
