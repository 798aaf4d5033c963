import type { Clock, Timer } from '@wherry/clock';

interface Running {
  endsAtMs: number;
  expire(): void;
}

/**
 * When requests have to be over. Those with the usual time end in the order of their beginning, so that one timer does for all of them: it
 * is set for the first, and anew when it has rung. Those that ask for less have a timer each.
 */
export class RequestDeadlines {
  readonly #clock: Clock;
  /** The longest that a request may take. */
  readonly usualMs: number;
  readonly #running = new Set<Running>();
  #timer: Timer | undefined;

  constructor({ clock, usualMs }: { clock: Clock; usualMs: number }) {
    this.#clock = clock;
    this.usualMs = usualMs;
  }

  /** What a request gets that asks for so long: more than usual, and 0, is the usual time. */
  timeFor(askedMs: number): number {
    return askedMs > 0 ? Math.min(askedMs, this.usualMs) : this.usualMs;
  }

  /** Calls `expire` after that time, unless the result is called before. */
  begin(timeMs: number, expire: () => void): () => void {
    if (timeMs < this.usualMs) {
      const timer = this.#clock.after(timeMs, expire);
      return () => timer.cancel();
    }
    const running = { endsAtMs: this.#clock.monotonicMs() + timeMs, expire };
    this.#running.add(running);
    this.#timer ??= this.#clock.after(timeMs, () => this.#ring());
    return () => this.#running.delete(running);
  }

  /** Nobody is waited for any more. */
  close(): void {
    this.#timer?.cancel();
    this.#running.clear();
  }

  #ring(): void {
    const nowMs = this.#clock.monotonicMs();
    this.#timer = undefined;
    for (const running of this.#running) {
      if (running.endsAtMs > nowMs) {
        this.#timer ??= this.#clock.after(running.endsAtMs - nowMs, () => this.#ring());
        return;
      }
      this.#running.delete(running);
      running.expire();
    }
  }
}
