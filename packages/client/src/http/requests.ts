import { type Clock, type Deadline, deadline, sleep, systemClock } from '@wherry/clock';
import { ClientError } from '../errors.ts';
import { readAnswer, statusErrorOf } from './answer.ts';
import { discardBody } from './body.ts';
import type { HttpAnswer, HttpDoor, HttpRequest } from './door.ts';
import { retryDelayMs } from './retry.ts';
import { warningsOf } from './warnings.ts';

/** One request and what came of it, for who counts. */
export interface Exchange {
  method: string;
  /** Host and port of the server. */
  serverName: string;
  /** Of the answer; undefined when none came. */
  status: number | undefined;
  /** Until the head of the answer, in milliseconds. */
  tookMs: number;
  /** Of the request's body. */
  sentBytes: number;
  /** The request is sent once more. */
  willRepeat: boolean;
}

/** An answer that was read here, to its end or not. */
export interface ReadAnswer {
  method: string;
  serverName: string;
  /** Of the body, unpacked. */
  bytes: number;
}

/** What somebody who watches requests has to do with one. */
export interface SentRequest {
  /** Sent along, beside the request's own. */
  headers: Readonly<Record<string, string>>;
  /** Its answer's head has come, or none will. */
  ended(exchange: Exchange): void;
}

/** What {@link ApiRequests} are made of. */
export interface ApiRequestsOptions {
  door: HttpDoor;
  /** Default: the system's. */
  clock?: Clock | undefined;
  /**
   * How long a refused connection is tried again, in milliseconds; nothing was sent, so every method may be
   * repeated. Default 0: fail at once. Loops with a back-off of their own leave it at 0.
   */
  connectRetryMs?: number | undefined;
  /** How long one request may take with its answer, in milliseconds; watches and logs too. Default: as long as it takes. */
  requestTimeoutMs?: number | undefined;
  /** Sent with each request whose answer is read here, as `accept-encoding`. Default: what the door sends by itself. */
  acceptEncoding?: string | undefined;
  /** Hears of each request that was sent, those that are sent again too. */
  onExchange?: ((exchange: Exchange) => void) | undefined;
  /** Hears of each answer whose body is read here: those of {@link ApiRequests.request}, and refusals. */
  onRead?: ((answer: ReadAnswer) => void) | undefined;
  /** Sees each request off, those that are sent again too. */
  onSend?: ((request: HttpRequest) => SentRequest) | undefined;
  /** Hears what the server says beside its answers, to be shown to people: deprecated versions, fields that it does not know. */
  onWarning?: ((text: string) => void) | undefined;
}

/** Why a request was sent again, last. */
interface Past {
  failure: string | undefined;
}

/** Requests to one API server, whose failures are the errors of this package and whose refusals are waited out. */
export class ApiRequests {
  readonly clock: Clock;
  readonly #options: ApiRequestsOptions;

  constructor(options: ApiRequestsOptions) {
    this.clock = options.clock ?? systemClock;
    this.#options = options;
  }

  /** Sends a request and reads its JSON answer. Throws `StatusError`, `ClientError` or `signal.reason`. */
  async request<T>(request: HttpRequest): Promise<T> {
    return (await this.#within(request, async (bounded, past) => {
      const { acceptEncoding } = this.#options;
      const packing: Record<string, string> = acceptEncoding ? { 'accept-encoding': acceptEncoding } : {};
      const headers = { accept: 'application/json', ...packing, ...request.headers };
      return readAnswer(this.#heard(await this.#stream({ ...bounded, headers }, past), request), request);
    })) as T;
  }

  /**
   * Sends a request and hands the answer out with its body unread. Throws as {@link request} does. A time-out of the
   * client counts until the answer's body has ended.
   */
  async stream(request: HttpRequest): Promise<HttpAnswer> {
    const limit = this.#limit(request);
    const past: Past = { failure: undefined };
    try {
      const answer = await this.#stream({ ...request, signal: limit?.signal ?? request.signal }, past);
      return limit ? { ...answer, body: until(answer.body, limit) } : answer;
    } catch (error) {
      limit?.cleanup();
      throw this.#named(error, limit, past);
    }
  }

  /** Closes idle connections. */
  close(): void {
    this.#options.door.close();
  }

  async #stream(request: HttpRequest, past: Past): Promise<HttpAnswer> {
    const { door, connectRetryMs = 0, onExchange, onSend, onWarning } = this.#options;
    const startedMs = this.clock.monotonicMs();
    for (let attempt = 0; ; attempt += 1) {
      const sentMs = this.clock.monotonicMs();
      const sent = onSend?.(request);
      const told = sent ? { ...request, headers: { ...request.headers, ...sent.headers } } : request;
      const outcome = await door.send(told).catch((error: unknown) => asError(error));
      const tookMs = this.clock.monotonicMs() - sentMs;
      const delayMs = retryDelayMs(outcome, {
        method: request.method,
        attempt,
        elapsedMs: this.clock.monotonicMs() - startedMs,
        connectRetryMs,
      });
      if (onExchange || sent) {
        const exchange = {
          method: request.method,
          serverName: door.serverName,
          status: outcome instanceof Error ? undefined : outcome.status,
          tookMs,
          sentBytes: bytesOf(request.body),
          willRepeat: delayMs !== undefined,
        };
        onExchange?.(exchange);
        sent?.ended(exchange);
      }
      if (delayMs === undefined) {
        if (onWarning && !(outcome instanceof Error)) for (const text of warningsOf(outcome)) onWarning(text);
        if (outcome instanceof Error) throw outcome;
        if (outcome.status >= 300) throw await statusErrorOf(this.#heard(outcome, request), request);
        return outcome;
      }
      past.failure = outcome instanceof Error ? outcome.message : `the server answered ${outcome.status}`;
      if (!(outcome instanceof Error)) await discardBody(outcome);
      await sleep({ clock: this.clock, delayMs, signal: request.signal, keepsAlive: true });
    }
  }

  /** The same answer, whose size is told once it was read. */
  #heard(answer: HttpAnswer, { method }: HttpRequest): HttpAnswer {
    const { onRead, door } = this.#options;
    if (!onRead) return answer;
    const { serverName } = door;
    return { ...answer, body: counted(answer.body, (bytes) => onRead({ method, serverName, bytes })) };
  }

  async #within<T>(request: HttpRequest, work: (bounded: HttpRequest, past: Past) => Promise<T>): Promise<T> {
    const limit = this.#limit(request);
    const past: Past = { failure: undefined };
    try {
      return await work({ ...request, signal: limit?.signal ?? request.signal }, past);
    } catch (error) {
      throw this.#named(error, limit, past);
    } finally {
      limit?.cleanup();
    }
  }

  #limit({ signal }: HttpRequest): Deadline | undefined {
    const { requestTimeoutMs } = this.#options;
    return requestTimeoutMs
      ? deadline({ clock: this.clock, timeoutMs: requestTimeoutMs, signal })
      : undefined;
  }

  #named(error: unknown, limit: Deadline | undefined, { failure }: Past): unknown {
    if (!limit?.signal.aborted || (limit.signal.reason as Error)?.name !== 'DeadlineError') return error;
    const seconds = (this.#options.requestTimeoutMs ?? 0) / 1000;
    const before = failure ? ` - error from a previous attempt: ${failure}` : '';
    const message = `Unable to connect to the server ${this.#options.door.serverName}: no answer within ${seconds} s${before}`;
    return new ClientError('unreachable', message, { cause: error });
  }
}

async function* until(body: AsyncIterable<Uint8Array>, limit: Deadline): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } finally {
    limit.cleanup();
  }
}

async function* counted(
  body: AsyncIterable<Uint8Array>,
  onRead: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  try {
    for await (const chunk of body) {
      bytes += chunk.byteLength;
      yield chunk;
    }
  } finally {
    onRead(bytes);
  }
}

function bytesOf(body: HttpRequest['body']): number {
  if (body === undefined) return 0;
  return typeof body === 'string' ? new TextEncoder().encode(body).byteLength : body.byteLength;
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
