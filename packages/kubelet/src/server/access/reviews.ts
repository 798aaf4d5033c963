import { ClientError, StatusError } from '@wherry/client';
import { type Clock, tryAgain } from '@wherry/clock';
import { reviewBackoff, reviewTriesMax } from '../../limits.ts';

/**
 * Questions to the API server, of who somebody is or what he may: each is asked once for all who wait for it, and again where
 * the server is away or overloaded for a moment (upstream: apiserver util/webhook, WithExponentialBackoff).
 */
export class Reviews<T> {
  readonly #clock: Clock;
  readonly #asked = new Map<string, Promise<T>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** What `question` resolves with. Rejects with its last error. */
  ask(key: string, question: () => Promise<T>): Promise<T> {
    const asked = this.#asked.get(key);
    if (asked) return asked;
    const answer = tryAgain(question, {
      ...{ clock: this.#clock, triesMax: reviewTriesMax, delays: reviewBackoff, mayPass: isOfTheMoment },
    }).finally(() => this.#asked.delete(key));
    this.#asked.set(key, answer);
    return answer;
  }
}

function isOfTheMoment(error: unknown): boolean {
  if (error instanceof ClientError) return error.code === 'unreachable';
  return error instanceof StatusError && [429, 500, 503, 504].includes(error.code);
}
