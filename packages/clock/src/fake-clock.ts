import type { Clock, Timer } from './clock.ts';

interface PendingTimer {
  dueMs: number;
  order: number;
  callback: () => void;
}

/** Where a {@link FakeClock} starts. */
export interface FakeClockOptions {
  /** First wall-clock reading, milliseconds since the epoch. Default 1_700_000_000_000. */
  nowMs?: number | undefined;
}

/** A clock that only moves when told to; for tests. Timers run inside {@link FakeClock.advance}, in order of time. */
export class FakeClock implements Clock {
  #wallMs: number;
  #elapsedMs = 0;
  #order = 0;
  /** The one that fires next stands last. */
  readonly #timers: PendingTimer[] = [];

  constructor(options: FakeClockOptions = {}) {
    this.#wallMs = options.nowMs ?? 1_700_000_000_000;
  }

  /** Timers that are set and have neither fired nor been cancelled; a leak check for tests. */
  get pendingTimers(): number {
    return this.#timers.length;
  }

  nowMs(): number {
    return this.#wallMs + this.#elapsedMs;
  }

  monotonicMs(): number {
    return this.#elapsedMs;
  }

  after(delayMs: number, callback: () => void): Timer {
    const timer = { dueMs: this.#elapsedMs + Math.max(0, delayMs), order: this.#order++, callback };
    this.#timers.splice(this.#placeOf(timer), 0, timer);
    return {
      cancel: () => {
        const at = this.#placeOf(timer);
        if (this.#timers[at] === timer) this.#timers.splice(at, 1);
      },
    };
  }

  /** Lets `durationMs` pass, running the timers that fall due, also those that they set in turn. */
  advance(durationMs: number): void {
    const targetMs = this.#elapsedMs + durationMs;
    for (let timer = this.#takeDue(targetMs); timer; timer = this.#takeDue(targetMs)) {
      this.#elapsedMs = Math.max(this.#elapsedMs, timer.dueMs);
      timer.callback();
    }
    this.#elapsedMs = targetMs;
  }

  /** Like {@link advance}, but lets promise continuations run behind each timer. */
  async advanceAsync(durationMs: number): Promise<void> {
    const targetMs = this.#elapsedMs + durationMs;
    await settle();
    for (let timer = this.#takeDue(targetMs); timer; timer = this.#takeDue(targetMs)) {
      this.#elapsedMs = Math.max(this.#elapsedMs, timer.dueMs);
      timer.callback();
      await settle();
    }
    this.#elapsedMs = targetMs;
  }

  /** Moves the wall clock alone, as an administrator or NTP would; no timer runs. */
  jumpWallClock(byMs: number): void {
    this.#wallMs += byMs;
  }

  #takeDue(targetMs: number): PendingTimer | undefined {
    const next = this.#timers.at(-1);
    return next && next.dueMs <= targetMs ? this.#timers.pop() : undefined;
  }

  /** Where a timer stands among those that are set, or would stand. */
  #placeOf({ dueMs, order }: PendingTimer): number {
    let [low, high] = [0, this.#timers.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = this.#timers[middle]!;
      const isLater = other.dueMs > dueMs || (other.dueMs === dueMs && other.order > order);
      if (isLater) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Waits for everything that is already queued to run. */
function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
