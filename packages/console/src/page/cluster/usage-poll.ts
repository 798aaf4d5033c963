import { type ApiClient, StatusError } from '@wherry/client';
import { limits } from '../limits.ts';
import type { PodMetrics } from '../models/pod/usage.ts';
import { RestingPoll } from './resting-poll.ts';

/** Which pod is asked about. */
export interface UsagePollOptions {
  client: ApiClient;
  namespace: string;
  name: string;
  changed: () => void;
}

/** What a pod uses, asked for once in `limits.usagePollMs` while somebody looks: it can't be watched. */
export class UsagePoll {
  readonly #options: UsagePollOptions;
  readonly #poll: RestingPoll;
  #metrics: PodMetrics | undefined;

  constructor(options: UsagePollOptions) {
    const { clock } = options.client;
    this.#options = options;
    this.#poll = new RestingPoll({
      ...{ clock, periodMs: limits.usagePollMs },
      look: (signal) => this.#look(signal),
    });
  }

  /** Undefined where nothing is known, such as in a cluster that measures nothing. */
  get metrics(): PodMetrics | undefined {
    return this.#metrics;
  }

  follow(): void {
    this.#poll.follow();
  }

  rest(): void {
    this.#poll.rest();
  }

  async #look(signal: AbortSignal): Promise<boolean> {
    const { client, namespace, name, changed } = this.#options;
    const path = `/apis/metrics.k8s.io/v1beta1/namespaces/${encodeURIComponent(namespace)}/pods/${encodeURIComponent(name)}`;
    try {
      this.#metrics = await client.request<PodMetrics>({ method: 'GET', path, signal });
      changed();
    } catch (error) {
      signal.throwIfAborted();
      this.#metrics = undefined;
      // Who may not ask, may not later either.
      return !(error instanceof StatusError && error.code === 403);
    }
    return true;
  }
}
