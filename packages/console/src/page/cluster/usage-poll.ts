import { type ApiClient, StatusError } from '@wherry/client';
import { sleep } from '@wherry/clock';
import { limits } from '../limits.ts';
import type { PodMetrics } from '../models/pod/usage.ts';

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
  #abort: AbortController | undefined;
  #metrics: PodMetrics | undefined;

  constructor(options: UsagePollOptions) {
    this.#options = options;
  }

  /** Undefined where nothing is known, such as in a cluster that measures nothing. */
  get metrics(): PodMetrics | undefined {
    return this.#metrics;
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
    const { client, namespace, name, changed } = this.#options;
    const path = `/apis/metrics.k8s.io/v1beta1/namespaces/${encodeURIComponent(namespace)}/pods/${encodeURIComponent(name)}`;
    while (!signal.aborted) {
      try {
        this.#metrics = await client.request<PodMetrics>({ method: 'GET', path, signal });
        changed();
      } catch (error) {
        signal.throwIfAborted();
        this.#metrics = undefined;
        // Who may not ask, may not later either.
        if (error instanceof StatusError && error.code === 403) return;
      }
      await sleep({ clock: client.clock, delayMs: limits.usagePollMs, signal });
    }
  }
}
