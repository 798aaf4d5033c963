import { groups, type UserInfo } from '../authentication/identity.ts';
import { isReading, type RequestInfo } from '../http/request-info.ts';
import { limits } from '../limits.ts';

/** How many requests are served at once; 0 is without a bound. Default 400 and 200. */
export interface InFlightLimitsOptions {
  maxRequestsInflight?: number | undefined;
  maxMutatingRequestsInflight?: number | undefined;
}

/** Places without priority and fairness: who comes first is served, nobody waits, and administrators always get an answer. */
export class InFlightLimits {
  readonly #reading: { readonly max: number; count: number };
  readonly #changing: { readonly max: number; count: number };

  constructor({
    maxRequestsInflight = limits.readingInFlightMax,
    maxMutatingRequestsInflight = limits.changesInFlightMax,
  }: InFlightLimitsOptions) {
    this.#reading = { max: maxRequestsInflight, count: 0 };
    this.#changing = { max: maxMutatingRequestsInflight, count: 0 };
  }

  /** What gives a place back; it is called once. Undefined where all are taken. */
  enter(user: UserInfo, info: RequestInfo): (() => void) | undefined {
    const places = isReading(info) ? this.#reading : this.#changing;
    const isFull = places.max > 0 && places.count >= places.max;
    if (isFull && !user.groups.includes(groups.masters)) return undefined;
    places.count += 1;
    return () => {
      places.count -= 1;
    };
  }
}
