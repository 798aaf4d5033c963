import {
  type ClientRequest,
  Agent as HttpAgent,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as requestHttp,
} from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { SecureContext } from 'node:tls';
import type { Clock } from '@wherry/clock';
import { limits } from '../limits.ts';
import { proxyFor } from './proxy.ts';

/** One HTTP request. */
export interface TransportRequest {
  method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | undefined;
  headers?: Readonly<Record<string, string | readonly string[]>> | undefined;
  body?: Uint8Array | Readable | undefined;
  signal: AbortSignal;
}

/** An answer whose body is still to be read; who does not want it destroys it. */
export interface TransportAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  body: IncomingMessage;
}

/** How requests reach one host. */
export interface TransportOptions {
  context: SecureContext;
  /** Any certificate will do. */
  skipsVerification: boolean;
  /** Names in an http URL are asked by https first. */
  prefersTls: boolean;
  dialTimeoutMs: number;
  clock: Clock;
  /** Names the proxies. */
  environment: NodeJS.ProcessEnv;
}

/** What OpenSSL says of an answer that is no TLS. */
const noTlsCodes = new Set([
  'EPROTO',
  'ERR_SSL_WRONG_VERSION_NUMBER',
  'ERR_SSL_PACKET_LENGTH_TOO_LONG',
  'ERR_SSL_HTTP_REQUEST',
  'ERR_TLS_HANDSHAKE_TIMEOUT',
]);
/** Where no port was named, plain http has another one. */
const nobodyThereCodes = new Set(['ECONNREFUSED', 'ETIMEDOUT']);
const idleConnectionMs = 15_000;

/** Sends requests; connections are kept for the next ones, and hold no process alive. */
export class Transport {
  readonly #options: TransportOptions;
  readonly #agents = new Map<string, HttpAgent>();
  /** Hosts that turned out to speak plain http, or https, where it was not said. */
  readonly #found = new Map<string, 'http:' | 'https:'>();

  constructor(options: TransportOptions) {
    this.#options = options;
  }

  /**
   * Sends a request and answers once the headers are there. Rejects with the signal's reason, or with what the
   * connection failed of.
   */
  async send(url: URL, request: TransportRequest): Promise<TransportAnswer> {
    if (!this.#options.prefersTls || url.protocol !== 'http:') return this.#once(url, request);
    const secure = new URL(url);
    secure.protocol = 'https:';
    // A URL drops the port that is usual for its scheme.
    if (url.port === '') secure.port = '443';
    const found = this.#found.get(url.host);
    if (found) return this.#once(found === 'https:' ? secure : url, request);
    try {
      const answer = await this.#once(secure, request);
      this.#found.set(url.host, 'https:');
      return answer;
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException;
      if (!noTlsCodes.has(code) && !(url.port === '' && nobodyThereCodes.has(code))) throw error;
      this.#found.set(url.host, 'http:');
      return this.#once(url, request);
    }
  }

  async #once(
    url: URL,
    { method = 'GET', headers = {}, body, signal }: TransportRequest,
  ): Promise<TransportAnswer> {
    signal.throwIfAborted();
    const isSecure = url.protocol === 'https:';
    const outgoing = (isSecure ? requestHttps : requestHttp)(url, {
      method,
      headers: headers as Record<string, string | string[]>,
      agent: this.#agent(url),
      signal,
    });
    const answered = new Promise<IncomingMessage>((resolve, reject) => {
      outgoing.once('response', resolve);
      outgoing.on('error', reject);
    });
    const stopDial = this.#limitDial(outgoing, isSecure);
    const stopSilence = this.#limitSilence(outgoing, body);
    // A refusal may come before the whole upload is taken; then the answer counts, not the torn upload.
    const sent = body instanceof Readable ? pipeline(body, outgoing).catch(() => {}) : undefined;
    if (!sent) outgoing.end(body);
    try {
      const answer = await answered;
      // What is left of an upload that was answered early is not sent.
      if (sent) answer.once('close', () => outgoing.writableFinished || outgoing.destroy());
      return { status: answer.statusCode ?? 0, headers: answer.headers, body: answer };
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    } finally {
      stopDial();
      stopSilence();
    }
  }

  /** One for all hosts that are reached in the same way: a registry may name as many hosts as it likes. */
  #agent(url: URL): HttpAgent {
    const { context, skipsVerification, environment } = this.#options;
    const proxyEnv = proxyFor(url.host, environment);
    const key = `${url.protocol} ${JSON.stringify(proxyEnv)}`;
    const known = this.#agents.get(key);
    if (known) return known;
    const shared = { keepAlive: true, timeout: idleConnectionMs, proxyEnv };
    const agent =
      url.protocol === 'https:'
        ? new HttpsAgent({ ...shared, secureContext: context, rejectUnauthorized: !skipsVerification })
        : new HttpAgent(shared);
    this.#agents.set(key, agent);
    return agent;
  }

  /** Ends a request whose connection does not stand in time. */
  #limitDial(outgoing: ClientRequest, isSecure: boolean): () => void {
    const { clock, dialTimeoutMs } = this.#options;
    const timer = clock.after(dialTimeoutMs, () => {
      const code = outgoing.socket?.connecting === false ? 'ERR_TLS_HANDSHAKE_TIMEOUT' : 'ETIMEDOUT';
      outgoing.destroy(Object.assign(new Error(`no connection within ${dialTimeoutMs} ms`), { code }));
    });
    outgoing.once('socket', (socket: Socket) => {
      if (!socket.connecting) timer.cancel();
      else socket.once(isSecure ? 'secureConnect' : 'connect', () => timer.cancel());
    });
    return () => timer.cancel();
  }

  /** Ends a request that is not answered; one that uploads may take its time. */
  #limitSilence(outgoing: ClientRequest, body: TransportRequest['body']): () => void {
    if (body instanceof Readable) return () => {};
    const timer = this.#options.clock.after(limits.pullStallMs, () =>
      outgoing.destroy(new Error(`no answer within ${limits.pullStallMs} ms`)),
    );
    return () => timer.cancel();
  }
}
