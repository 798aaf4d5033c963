import type { IncomingMessage } from 'node:http';
import { type Clock, sleep, systemClock } from '@wherry/clock';
import { readAnswer, statusErrorOf } from './answer.ts';
import { type AccessOptions, type ClusterAccess, loadClusterAccess } from './cluster-access.ts';
import type { KubeObject, ResourceType } from './objects.ts';
import { ResourceClient } from './resource-client.ts';
import { retryDelayMs } from './retry.ts';
import { type HttpRequest, HttpTransport } from './transport.ts';

/** What a client is made of. */
export interface KubeClientOptions {
  access: ClusterAccess;
  /** Default `wherry`. */
  userAgent?: string;
  clock?: Clock;
  /**
   * How long a refused connection is tried again, in milliseconds; nothing was sent, so every method may be
   * repeated. Default 0: fail at once. Loops with a back-off of their own leave it at 0.
   */
  connectRetryMs?: number;
}

/** A client of one API server, as one user. Share one per process: connections are kept and reused. */
export class KubeClient {
  readonly access: ClusterAccess;
  readonly clock: Clock;
  readonly #transport: HttpTransport;
  readonly #connectRetryMs: number;

  constructor(options: KubeClientOptions) {
    this.access = options.access;
    this.clock = options.clock ?? systemClock;
    this.#transport = new HttpTransport(options.access, options.userAgent ?? 'wherry');
    this.#connectRetryMs = options.connectRetryMs ?? 0;
  }

  /** The verbs of one kind of object. */
  resource<T extends KubeObject>(type: ResourceType<T>): ResourceClient<T> {
    return new ResourceClient(this, type);
  }

  /** Sends a request and reads its JSON answer. Throws `StatusError`, `ClientError` or `signal.reason`. */
  async request<T>(request: HttpRequest): Promise<T> {
    const response = await this.stream({
      ...request,
      headers: { accept: 'application/json', ...request.headers },
    });
    return (await readAnswer(response)) as T;
  }

  /** Sends a request and hands the answer's body out unread. Throws as {@link request} does. */
  async stream(request: HttpRequest): Promise<IncomingMessage> {
    const startedMs = this.clock.monotonicMs();
    for (let attempt = 0; ; attempt += 1) {
      const outcome = await this.#transport.request(request).catch((error: unknown) => asError(error));
      const delayMs = retryDelayMs(outcome, {
        attempt,
        elapsedMs: this.clock.monotonicMs() - startedMs,
        connectRetryMs: this.#connectRetryMs,
      });
      if (delayMs !== undefined) {
        if (!(outcome instanceof Error)) outcome.resume();
        await sleep({ clock: this.clock, delayMs, signal: request.signal });
        continue;
      }
      if (outcome instanceof Error) throw outcome;
      if ((outcome.statusCode ?? 500) >= 400) throw await statusErrorOf(outcome);
      return outcome;
    }
  }

  /** Closes idle connections. */
  close(): void {
    this.#transport.close();
  }
}

/** A client for the cluster that the kubeconfig names. Throws `ClientError` `bad-config`. */
export function createKubeClient(
  options: AccessOptions & Omit<KubeClientOptions, 'access'> = {},
): KubeClient {
  return new KubeClient({ ...options, access: loadClusterAccess(options) });
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
