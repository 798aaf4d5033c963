import { tooManyRequests } from '@wherry/kubeapi';
import type { RequestInfo } from '../http/request-info.ts';
import { limits } from '../limits.ts';

/** Sub-resources whose requests last as long as they are used. */
export const longRunningSubresources: ReadonlySet<string> = new Set([
  'log',
  'proxy',
  'exec',
  'attach',
  'portforward',
]);

/** Bounds how many requests are served at once. */
export class InFlight {
  #count = 0;

  /**
   * Counts a request in; call the result when it is over. Throws 429 when there are too many. Health checks must get
   * through, and watches and streams do not count, as upstream.
   */
  enter({ isResource, verb, subresource }: RequestInfo): () => void {
    if (!isResource || verb === 'watch' || longRunningSubresources.has(subresource)) return () => {};
    if (this.#count >= limits.inFlightRequestsMax) {
      throw tooManyRequests('too many requests, please try again later', 1);
    }
    this.#count += 1;
    return () => {
      this.#count -= 1;
    };
  }
}
