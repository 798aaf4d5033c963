import { type ByteChannel, discard, onAbort } from '@wherry/bytes';
import { createSpdySession, resetStatus, type SpdySession, type SpdyStream } from '@wherry/spdy';
import { connectionsMax, pingIntervalMs, serverSilenceTimeoutMs } from './limits.ts';
import { PairTable, type StreamPair } from './pair-table.ts';
import { type ConnectionCounts, failureText, type PortForwardService } from './serve-types.ts';
import { parseStreamRequest, type StreamRequest } from './stream-request.ts';
import { joinTarget } from './target-join.ts';
import { ToldConnection } from './told-connection.ts';

/** What became of a SPDY session. */
export interface SpdyServed extends ConnectionCounts {
  error: Error | null;
}

/** Serves port-forward on a SPDY byte stream, plain or inside a WebSocket, until the client leaves. Never rejects. */
export async function serveSpdyPortForward(
  channel: ByteChannel,
  service: PortForwardService,
  options: { sendsReplies?: boolean } = {},
): Promise<SpdyServed> {
  const server = new SpdyPortForward(channel, service, options.sendsReplies);
  const error = await server.closed;
  return { ...server.counts, error };
}

class SpdyPortForward {
  readonly counts: ConnectionCounts = { connections: 0, failures: 0 };
  readonly closed: Promise<Error | null>;
  readonly #service: PortForwardService;
  readonly #pairs: PairTable;
  /** Connections that are being made. */
  readonly #dialling = new Set<AbortController>();
  #active = 0;

  constructor(channel: ByteChannel, service: PortForwardService, sendsReplies: boolean | undefined) {
    this.#service = service;
    this.#pairs = new PairTable({
      clock: service.clock,
      timeoutMs: service.streamCreationTimeoutMs,
      onPair: (pair) => this.#serve(pair),
      onLoneHalf: (half, request) => this.#endLoneHalf(half, request),
    });
    const session: SpdySession = createSpdySession({
      transport: channel,
      role: 'server',
      sendsReplies,
      clock: service.clock,
      idleTimeoutMs: service.idleTimeoutMs,
      pingIntervalMs,
      silenceTimeoutMs: serverSilenceTimeoutMs,
      onStream: (stream) => this.#accept(stream),
    });
    const leave = onAbort(service.signal, () => session.close());
    this.closed = session.closed.finally(() => {
      leave();
      this.#pairs.clear();
      for (const dial of this.#dialling) dial.abort(new Error('the port-forward session is over'));
    });
  }

  /** Wrong headers end that stream alone. */
  #accept(stream: SpdyStream): void {
    const request = parseStreamRequest(stream);
    if (!request) {
      this.#refuse(stream, 'its headers name no port or no type');
    } else if (this.#active + this.#pairs.size >= connectionsMax) {
      this.#refuse(stream, `the session has ${connectionsMax} connections already`);
    } else {
      stream.reply();
      this.#pair(stream, request);
    }
  }

  #pair(stream: SpdyStream, request: StreamRequest): void {
    try {
      this.#pairs.add(stream, request);
      if (request.type === 'error') stream.receive(discard);
    } catch (error) {
      const { message } = error as Error;
      say(this.#pairs.waitingError(request.requestId), message);
      this.#refuse(stream, message);
    }
  }

  #refuse(stream: SpdyStream, reason: string): void {
    this.#service.logger.warn('refused a port-forward stream', { stream: stream.id, reason });
    stream.reset(resetStatus.cancel);
  }

  #endLoneHalf(half: SpdyStream, { requestId, type }: StreamRequest): void {
    const text = `(conn=, request=${requestId}) timed out waiting for streams`;
    this.#service.logger.warn(text, { type });
    if (type === 'error') say(half, text);
    else half.receive(discard);
    half.end();
  }

  async #serve(pair: StreamPair): Promise<void> {
    this.counts.connections++;
    this.#active++;
    const told = new ToldConnection(this.#service.session, pair.port);
    const failure = await this.#forward(pair, told);
    told.over(failure);
    this.#active--;
    if (failure) {
      this.counts.failures++;
      this.#report(pair, failure);
    }
    pair.error.end();
  }

  /** Dials and carries the bytes; resolves with what broke. */
  async #forward(
    { port, data, error, wantsErrorText }: StreamPair,
    told: ToldConnection,
  ): Promise<Error | null> {
    try {
      const target = await this.#dial(port, data);
      // A Go client keeps its local connection until the error stream has ended, and older kubectls end their own side
      // only then, so both would wait. Our own clients may still send to a pod that has said its last.
      const onTargetEnd = wantsErrorText ? undefined : () => error.end();
      const client = { source: data, sink: data, halfCloses: true, onTargetEnd };
      const { targetError } = await joinTarget(told.metered(client, target), target);
      return targetError;
    } catch (failure) {
      data.receive(discard);
      return failure instanceof Error ? failure : new Error(String(failure));
    }
  }

  /** Connects, unless the client or the session goes first. */
  async #dial(port: number, data: SpdyStream): Promise<ByteChannel> {
    const left = new AbortController();
    this.#dialling.add(left);
    data.closed.then(() => {
      if (this.#dialling.has(left)) left.abort(new Error('the client gave the connection up'));
    });
    try {
      return await this.#service.dial(port, { signal: left.signal });
    } finally {
      this.#dialling.delete(left);
    }
  }

  /**
   * A client that asked for it gets the text and a reset. Go clients end all their connections at the first text:
   * they just see this one end.
   */
  #report({ port, data, error, wantsErrorText }: StreamPair, failure: Error): void {
    const text = failureText(port, this.#service.podName, failure);
    this.#service.logger.warn(text);
    if (wantsErrorText) {
      say(error, text);
      data.reset(resetStatus.cancel);
      return;
    }
    data.end();
  }
}

/** Writes a text for a client that may have let go of the stream by now, or of the whole session. */
function say(stream: SpdyStream | undefined, text: string): void {
  try {
    stream?.write(Buffer.from(text));
  } catch {
    // Nobody reads it any more.
  }
}
