import { type Clock, sleep } from '@wherry/clock';

/** What a cut line keeps from passing. */
export type Direction = 'requests' | 'answers';

/** A client that pings finds a silent connection dead after so long. */
const deadAfterMs = 45_000;

/** The way between a client and the API server. While it is cut nothing passes and nobody is told; what waits passes when it is whole again. */
export class Line {
  readonly #clock: Clock;
  #wholeAtMs = 0;
  #cut: readonly Direction[] = [];
  #servers = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  cut(directions: readonly Direction[], forMs: number): void {
    this.#cut = directions;
    this.#wholeAtMs = this.#clock.monotonicMs() + forMs;
  }

  mend(): void {
    this.#wholeAtMs = 0;
  }

  /** Another server stands at the end: what was on its way to the last one, or from it, is lost. */
  serverReplaced(): void {
    this.#servers += 1;
  }

  isCut(direction: Direction): boolean {
    return this.#clock.monotonicMs() < this.#wholeAtMs && this.#cut.includes(direction);
  }

  /** Resolves with whether what was sent arrives, rather than its connection being given up. Rejects with the signal's reason. */
  async arrives(direction: Direction, signal?: AbortSignal): Promise<boolean> {
    const server = this.#servers;
    const givenUpMs = this.#clock.monotonicMs() + deadAfterMs;
    while (this.isCut(direction)) {
      const leftMs = givenUpMs - this.#clock.monotonicMs();
      if (leftMs <= 0) return false;
      const delayMs = Math.min(leftMs, this.#wholeAtMs - this.#clock.monotonicMs(), lookMs);
      await sleep({ clock: this.#clock, delayMs, signal });
    }
    return server === this.#servers;
  }
}

/** It may be mended at any time. */
const lookMs = 1_000;
