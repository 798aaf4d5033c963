import { type Clock, sleep } from '@wherry/clock';

/** What is asked for again and again. */
export interface RestingPollOptions {
  clock: Clock;
  periodMs: number;
  /** One look; false where none is wanted any more. Rejects once `signal` has aborted, and then alone. */
  look(signal: AbortSignal): Promise<boolean>;
}

/** Looks once in a period, while somebody looks at what comes of it: it rests otherwise, and begins with a look. */
export class RestingPoll {
  readonly #options: RestingPollOptions;
  #abort: AbortController | undefined;

  constructor(options: RestingPollOptions) {
    this.#options = options;
  }

  follow(): void {
    if (this.#abort) return;
    this.#abort = new AbortController();
    this.#run(this.#abort.signal).catch(() => {});
  }

  rest(): void {
    this.#abort?.abort(new Error('nobody looks'));
    this.#abort = undefined;
  }

  async #run(signal: AbortSignal): Promise<void> {
    const { clock, periodMs, look } = this.#options;
    while (await look(signal)) await sleep({ clock, delayMs: periodMs, signal });
  }
}
