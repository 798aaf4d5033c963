import type { IncomingMessage } from 'node:http';
import { type Clock, sleep, systemClock } from '@wherry/clock';
import type { UpgradeTarget } from '@wherry/upgrade';
import { loadClusterAccess } from '../access/access-from.ts';
import type { AccessOptions } from '../access/access-options.ts';
import { ClientError } from '../errors.ts';
import { readAnswer, statusErrorOf } from '../http/answer.ts';
import { authorize, replaceRefused } from '../http/authorization.ts';
import type { ClusterAccess } from '../http/cluster-access.ts';
import { retryDelayMs } from '../http/retry.ts';
import { type HttpRequest, HttpTransport } from '../http/transport.ts';
import { isUnauthorized, translateUpgradeError, upgradeTarget } from '../http/upgrade.ts';
import { defaultUserAgent } from '../http/user-agent.ts';
import type { KubeObject, ResourceType } from './objects.ts';
import { ResourceClient } from './resource-client.ts';

/** What a client is made of. */
export interface KubeClientOptions {
  access: ClusterAccess;
  /** Default: `wherry/VERSION (PLATFORM)`. */
  userAgent?: string;
  clock?: Clock;
  /**
   * How long a refused connection is tried again, in milliseconds; nothing was sent, so every method may be
   * repeated. Default 0: fail at once. Loops with a back-off of their own leave it at 0.
   */
  connectRetryMs?: number;
  /** How long one request may take with its answer, in milliseconds; watches and logs too. Default: as long as it takes. */
  requestTimeoutMs?: number | undefined;
}

/** A client of one API server, as one user. Share one per process: connections are kept and reused. */
export class KubeClient {
  readonly access: ClusterAccess;
  readonly clock: Clock;
  readonly #transport: HttpTransport;
  readonly #userAgent: string;
  readonly #connectRetryMs: number;
  readonly #requestTimeoutMs: number | undefined;

  constructor(options: KubeClientOptions) {
    this.access = options.access;
    this.clock = options.clock ?? systemClock;
    this.#userAgent = options.userAgent ?? defaultUserAgent;
    this.#transport = new HttpTransport(options.access, this.#userAgent);
    this.#connectRetryMs = options.connectRetryMs ?? 0;
    this.#requestTimeoutMs = options.requestTimeoutMs || undefined;
  }

  /** The verbs of one kind of object. */
  resource<T extends KubeObject>(type: ResourceType<T>): ResourceClient<T> {
    return new ResourceClient(this, type);
  }

  /** The same verbs, whose reads fetch nothing but `metadata`. */
  metadata(type: ResourceType): ResourceClient<KubeObject> {
    return new ResourceClient<KubeObject>(this, type, 'metadata');
  }

  /** Sends a request and reads its JSON answer. Throws `StatusError`, `ClientError` or `signal.reason`. */
  async request<T>(request: HttpRequest): Promise<T> {
    const packing: Record<string, string> = this.access.disableCompression
      ? {}
      : { 'accept-encoding': 'gzip' };
    const response = await this.stream({
      ...request,
      headers: { accept: 'application/json', ...packing, ...request.headers },
    });
    return (await readAnswer(response)) as T;
  }

  /** Sends a request and hands the answer's body out unread. Throws as {@link request} does. */
  async stream(unbounded: HttpRequest): Promise<IncomingMessage> {
    const request = this.#bounded(unbounded);
    const startedMs = this.clock.monotonicMs();
    for (let attempt = 0; ; attempt += 1) {
      const outcome = await this.#send(request).catch((error: unknown) => asError(error));
      const delayMs = retryDelayMs(outcome, {
        method: request.method,
        attempt,
        elapsedMs: this.clock.monotonicMs() - startedMs,
        connectRetryMs: this.#connectRetryMs,
      });
      if (delayMs !== undefined) {
        if (!(outcome instanceof Error)) outcome.resume();
        await sleep({ clock: this.clock, delayMs, signal: request.signal });
        continue;
      }
      if (outcome instanceof Error) throw this.#named(outcome);
      if ((outcome.statusCode ?? 500) >= 400) throw await statusErrorOf(outcome);
      return outcome;
    }
  }

  /**
   * Opens a streaming connection: `connect` is called with the target for an API path, and once more with other
   * credentials when the server answers 401 and there are others. Throws `StatusError`, `ClientError` or what
   * `connect` throws.
   */
  async upgrade<T>(
    { path, signal }: Pick<HttpRequest, 'path' | 'signal'>,
    connect: (target: UpgradeTarget) => Promise<T>,
  ): Promise<T> {
    const attempt = async (authorization: Awaited<ReturnType<typeof authorize>>) =>
      connect(upgradeTarget(this.access, { path, signal, authorization, userAgent: this.#userAgent }));
    try {
      const first = await authorize(this.access, signal);
      try {
        return await attempt(first);
      } catch (error) {
        if (!isUnauthorized(error) || !(await replaceRefused(this.access, first))) throw error;
      }
      return await attempt(await authorize(this.access, signal));
    } catch (error) {
      throw translateUpgradeError(error, this.access.server);
    }
  }

  async #send(request: HttpRequest): Promise<IncomingMessage> {
    const first = await authorize(this.access, request.signal);
    const response = await this.#transport.request(request, first);
    if (response.statusCode !== 401 || !(await replaceRefused(this.access, first))) return response;
    response.resume();
    return this.#transport.request(request, await authorize(this.access, request.signal));
  }

  #named(error: Error): Error {
    if (error.name !== 'TimeoutError') return error;
    const seconds = (this.#requestTimeoutMs ?? 0) / 1000;
    const message = `Unable to connect to the server ${this.access.server.host}: no answer within ${seconds} s`;
    return new ClientError('unreachable', message, { cause: error });
  }

  #bounded(request: HttpRequest): HttpRequest {
    if (this.#requestTimeoutMs === undefined) return request;
    const timeout = AbortSignal.timeout(this.#requestTimeoutMs);
    return { ...request, signal: request.signal ? AbortSignal.any([request.signal, timeout]) : timeout };
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
