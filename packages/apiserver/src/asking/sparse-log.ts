import type { Clock } from '@wherry/clock';
import type { Logger } from '@wherry/telemetry';
import { periods } from '../limits.ts';

/** Tells of what anybody may bring about as often as he likes: once a second, the rest as details. */
export class SparseLog {
  readonly #logger: Logger;
  readonly #clock: Clock;
  #saidMs = Number.NEGATIVE_INFINITY;

  constructor(logger: Logger, clock: Clock) {
    this.#logger = logger;
    this.#clock = clock;
  }

  tell(message: string, facts: Parameters<Logger['info']>[1]): void {
    const nowMs = this.#clock.monotonicMs();
    const isQuiet = nowMs - this.#saidMs < periods.refusedTokenMs;
    this.#logger[isQuiet ? 'debug' : 'info'](message, facts);
    if (!isQuiet) this.#saidMs = nowMs;
  }
}
