import { type ClientHttp2Session, connect, constants, type OutgoingHttpHeaders } from 'node:http2';
import type { TLSSocket } from 'node:tls';
import { onAbort } from '@wherry/bytes';
import { type Clock, deadline, type Timer } from '@wherry/clock';
import { limits } from '../limits.ts';
import type { ReceivedAnswer } from './answer-of.ts';

/** One request over HTTP/2. */
export interface Http2Request {
  headers: OutgoingHttpHeaders;
  body: string | Uint8Array | undefined;
  signal: AbortSignal | undefined;
}

/** The server did not act on a request: the connection was leaving, or it refused the stream (RFC 9113, section 8.7). */
export class UnprocessedRequest extends Error {}

/**
 * One HTTP/2 connection. While streams are open it is pinged, so that one on which nothing passes any more ends them; an
 * idle one keeps no process alive.
 */
export class Http2Connection {
  readonly #session: ClientHttp2Session;
  readonly #socket: TLSSocket;
  readonly #clock: Clock;
  #openStreams = 0;
  #isLeaving = false;
  #hasServed = false;
  #pinging: Timer | undefined;

  private constructor(session: ClientHttp2Session, socket: TLSSocket, clock: Clock) {
    this.#session = session;
    this.#socket = socket;
    this.#clock = clock;
    session.on('goaway', () => {
      this.#isLeaving = true;
    });
    session.on('error', () => {});
    session.on('close', () => this.#pinging?.cancel());
    session.unref();
  }

  /** Resolves when the server has said how many streams it takes. A socket on which that fails is destroyed. */
  static async open(
    origin: string,
    socket: TLSSocket,
    { clock, signal }: { clock: Clock; signal: AbortSignal },
  ): Promise<Http2Connection> {
    const session = connect(origin, {
      createConnection: () => socket,
      settings: { initialWindowSize: limits.http2WindowBytes, enablePush: false },
    });
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const what = 'the first settings of the server';
    using limit = deadline({ clock, timeoutMs: limits.http2SettingsMs, what, signal });
    const leave = onAbort(limit.signal, (reason) => {
      reject(reason);
      breakOff(session, socket, reason as Error);
    });
    session.once('remoteSettings', () => resolve());
    session.on('error', reject);
    session.once('close', () => reject(new Error('the connection was closed before its first settings')));
    await promise.finally(leave);
    session.setLocalWindowSize(limits.http2ConnectionWindowBytes);
    return new Http2Connection(session, socket, clock);
  }

  /** Whether it has answered before: one that then breaks says nothing about the server. */
  get hasServed(): boolean {
    return this.#hasServed;
  }

  get isUsable(): boolean {
    return !this.#isLeaving && !this.#session.closed && !this.#session.destroyed;
  }

  get hasRoom(): boolean {
    const theirs = this.#session.remoteSettings.maxConcurrentStreams ?? limits.http2StreamsMax;
    return this.isUsable && this.#openStreams < Math.min(theirs, limits.http2StreamsMax);
  }

  /** Takes room that was reserved. Rejects with the connection's or the stream's error, {@link UnprocessedRequest}, or the signal's reason. */
  request({ headers, body, signal }: Http2Request): Promise<ReceivedAnswer> {
    const { promise, resolve, reject } = Promise.withResolvers<ReceivedAnswer>();
    if (!this.isUsable) {
      this.release();
      return Promise.reject(new UnprocessedRequest('the connection is leaving'));
    }
    const stream = this.#session.request(headers, { endStream: body === undefined });
    const leave = onAbort(signal, (reason) => {
      reject(reason);
      stream.close(constants.NGHTTP2_CANCEL);
      stream.destroy(reason instanceof Error ? reason : new Error(String(reason)));
    });
    stream.once('response', (fields) => {
      this.#hasServed = true;
      const { ':status': status = 500, ...rest } = fields;
      resolve({ status, headers: rest as ReceivedAnswer['headers'], body: stream });
    });
    stream.on('error', (error) => {
      const isRefused = stream.rstCode === constants.NGHTTP2_REFUSED_STREAM;
      reject(isRefused ? new UnprocessedRequest('the server refused the stream') : error);
    });
    stream.once('close', () => {
      leave();
      this.release();
      reject(this.isUsable ? new Error('the stream was closed before the answer') : tornConnection());
    });
    if (body !== undefined) stream.end(body);
    return promise;
  }

  close(): void {
    this.#session.close();
  }

  /** Keeps room for one {@link request}, which ends with its stream, or with {@link release}. */
  reserve(): void {
    this.#openStreams += 1;
    if (this.#openStreams > 1 || this.#session.destroyed) return;
    this.#session.ref();
    this.#schedulePing();
  }

  release(): void {
    this.#openStreams -= 1;
    if (this.#openStreams > 0) return;
    this.#pinging?.cancel();
    if (!this.#session.destroyed) this.#session.unref();
  }

  #schedulePing(): void {
    this.#pinging = this.#clock.after(limits.http2PingIntervalMs, () => {
      if (this.#session.destroyed) return;
      this.#pinging = this.#clock.after(limits.http2PongTimeoutMs, () => {
        const reason = new Error('the server answers no ping: the connection is taken for dead');
        breakOff(this.#session, this.#socket, reason);
      });
      this.#session.ping(() => {
        this.#pinging?.cancel();
        if (this.#openStreams > 0) this.#schedulePing();
      });
    });
  }
}

/** A connection that ended before an answer: HTTP/1.1 says the same, whether the end was in order or not. */
function tornConnection(): Error {
  return Object.assign(new Error('the connection was closed before the answer'), { code: 'ECONNRESET' });
}

/** A session that can't write does not end before its socket, and says nothing until then. */
function breakOff(session: ClientHttp2Session, socket: TLSSocket, reason: Error): void {
  session.destroy(reason);
  socket.destroy();
}
