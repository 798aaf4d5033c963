import {
  type ClientRequest,
  type Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
  type OutgoingHttpHeaders,
} from 'node:http';
import { type Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { Readable } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import { onAbort, orAborted, retireAgent } from '@wherry/bytes';
import type { Clock } from '@wherry/clock';
import { ClientError } from '../errors.ts';
import type { HttpAnswer, HttpRequest } from '../http/door.ts';
import { limits } from '../limits.ts';
import { bareHost } from '../proxy/proxy-url.ts';
import { createAgent } from './agent.ts';
import { answerOf } from './answer-of.ts';
import type { Authorization } from './authorization.ts';
import { besideBrought } from './brought-credentials.ts';
import type { ClusterAccess } from './cluster-access.ts';
import { type Http2Connection, UnprocessedRequest } from './http2-connection.ts';
import { Http2Connections } from './http2-connections.ts';
import type { PassedRequest } from './passed-request.ts';

/** Methods that may be sent again when a kept-alive connection turns out to be dead. */
const repeatableMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/** What a {@link HttpTransport} is made of. */
export interface HttpTransportOptions {
  access: ClusterAccess;
  userAgent: string;
  clock: Clock;
}

/** HTTP/2 where the server offers it, else HTTP/1.1 over kept-alive connections. */
export class HttpTransport {
  readonly #access: ClusterAccess;
  readonly #agent: HttpAgent | HttpsAgent;
  /** Keeps no connection. */
  readonly #singleUse: HttpAgent | HttpsAgent;
  readonly #userAgent: string;
  readonly #http2: Http2Connections;
  readonly #spares: TLSSocket[] = [];

  constructor({ access, userAgent, clock }: HttpTransportOptions) {
    this.#access = access;
    this.#userAgent = userAgent;
    this.#agent = createAgent(access, clock, this.#spares);
    this.#singleUse = createAgent(access, clock);
    this.#singleUse.maxFreeSockets = 0;
    this.#http2 = new Http2Connections({ access, clock, spare: (socket) => this.#spares.push(socket) });
  }

  /** Throws `ClientError` `unreachable` when no answer came, or `signal.reason`. */
  async request(request: HttpRequest, authorization: Authorization): Promise<HttpAnswer> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await this.#exchange(request, authorization);
      } catch (error) {
        if (!(error instanceof StaleConnection)) throw error;
        if (attempt >= limits.idleSocketsMax) throw unreachable(this.#access.server, error);
      }
    }
  }

  /**
   * Sends a request that somebody else has made, body and all, as HTTP/1.1, and resolves to the answer as it comes. What may not
   * be sent twice gets a connection of its own, so that none that has died takes it. Throws as {@link request} does.
   */
  async pass(
    { path, body, ...request }: PassedRequest,
    authorization: Authorization,
  ): Promise<IncomingMessage> {
    for (let attempt = 0; ; attempt += 1) {
      const mayRepeat = body === undefined && repeatableMethods.has(request.method);
      try {
        const own = besideBrought(authorization.headers, request.headers);
        return await this.#send(
          { ...request, path, body },
          { ...authorization, headers: own },
          {
            prefix: '',
            agent: mayRepeat ? this.#agent : this.#singleUse,
          },
        );
      } catch (error) {
        if (!(error instanceof StaleConnection)) throw error;
        if (attempt >= limits.idleSocketsMax) throw unreachable(this.#access.server, error);
      }
    }
  }

  /** Takes no more requests; those that are under way, and answers that are being read, live on. */
  retire(): void {
    for (const agent of [this.#agent, this.#singleUse]) retireAgent(agent);
    this.#http2.close();
    for (const socket of this.#spares.splice(0)) socket.destroy();
  }

  /** Closes idle connections; answers that are being read live on. */
  close(): void {
    this.#agent.destroy();
    this.#singleUse.destroy();
    this.#http2.close();
    for (const socket of this.#spares.splice(0)) socket.destroy();
  }

  async #exchange(request: HttpRequest, authorization: Authorization): Promise<HttpAnswer> {
    const connection = await this.#http2Connection(request, authorization);
    if (connection) return this.#sendHttp2(connection, request, authorization);
    const response = await this.#send(request, authorization);
    const { statusCode = 500, headers } = response;
    return answerOf({ status: statusCode, headers, body: response });
  }

  /** A certificate that a plugin gave is of one request, so that it has connections of its own. */
  async #http2Connection(
    { signal }: HttpRequest,
    { certificate }: Authorization,
  ): Promise<Http2Connection | undefined> {
    if (certificate || !this.#http2.mayBeOffered) return undefined;
    const acquiring = this.#http2.acquire();
    try {
      return await orAborted(acquiring, signal);
    } catch (error) {
      acquiring.then(
        (connection) => connection?.release(),
        () => {},
      );
      signal?.throwIfAborted();
      throw unreachable(this.#access.server, error as Error);
    }
  }

  async #sendHttp2(
    connection: Http2Connection,
    { method, path, headers, body, signal }: HttpRequest,
    authorization: Authorization,
  ): Promise<HttpAnswer> {
    const { server } = this.#access;
    const target = { ':method': method, ':path': server.pathname.replace(/\/$/, '') + path };
    const own = { 'user-agent': this.#userAgent, ...authorization.headers };
    try {
      return answerOf(await connection.request({ headers: { ...target, ...own, ...headers }, body, signal }));
    } catch (error) {
      signal?.throwIfAborted();
      const mayRepeat = connection.hasServed && repeatableMethods.has(method);
      if (error instanceof UnprocessedRequest || mayRepeat)
        throw new StaleConnection((error as Error).message);
      throw unreachable(server, error as Error);
    }
  }

  #send(
    { method, path, headers, body, signal }: HttpRequest | PassedRequest,
    authorization: Authorization,
    { prefix = this.#access.server.pathname.replace(/\/$/, ''), agent = this.#agent } = {},
  ): Promise<IncomingMessage> {
    const { server } = this.#access;
    signal?.throwIfAborted();
    const send = server.protocol === 'https:' ? httpsRequest : httpRequest;
    return new Promise((resolve, reject) => {
      const isWhole = typeof body === 'string' || body instanceof Uint8Array;
      const framing = isWhole
        ? { 'content-length': String(Buffer.byteLength(body)) }
        : framingOf(body, headers);
      const outgoing = send({
        hostname: bareHost(server),
        port: server.port || undefined,
        method,
        path: prefix + path,
        agent,
        headers: { 'user-agent': this.#userAgent, ...authorization.headers, ...framing, ...headers },
        ...authorization.certificate,
      });
      let answer: IncomingMessage | undefined;
      const leave = onAbort(signal, (reason) => (answer ?? outgoing).destroy(asError(reason)));
      outgoing.once('response', (response) => {
        answer = response;
        response.once('close', leave);
        resolve(response);
      });
      outgoing.once('error', (error) => {
        leave();
        if (signal?.aborted) reject(signal.reason);
        else if (outgoing.reusedSocket && repeatableMethods.has(method))
          reject(new StaleConnection('connection closed before the answer'));
        else reject(unreachable(server, error));
      });
      if (body === undefined || isWhole) outgoing.end(body);
      else feed(body, outgoing);
    });
  }
}

/**
 * What parts a body that comes from what follows, where no length does: of a GET Node would write it bare, and the server take it
 * for another request.
 */
const framingOf = (body: Readable | undefined, headers: OutgoingHttpHeaders | undefined) =>
  body && headers?.['content-length'] === undefined ? { 'transfer-encoding': 'chunked' } : {};

/**
 * Sends a body as it comes. A server may answer before it has all of it and read no more: what is left is then thrown away, so that
 * who sends it hears the answer.
 */
function feed(body: Readable, outgoing: ClientRequest): void {
  body.pipe(outgoing);
  body.once('error', (error) => outgoing.destroy(error));
  outgoing.once('close', () => {
    body.unpipe(outgoing);
    body.resume();
  });
}

/** A kept-alive connection died before the answer: says nothing about the server. */
class StaleConnection extends Error {}

function unreachable(server: URL, cause: Error): ClientError {
  if (cause instanceof ClientError) return cause;
  const code = (cause as NodeJS.ErrnoException).code;
  const message =
    code === 'ECONNREFUSED'
      ? `The connection to the server ${server.host} was refused - did you specify the right host or port?`
      : `Unable to connect to the server ${server.host}: ${cause.message}`;
  return new ClientError('unreachable', message, { cause });
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}
