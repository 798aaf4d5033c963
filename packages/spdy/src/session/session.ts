import type { ByteChannel, WaitOptions } from '@wherry/bytes';
import { FrameDecoder } from '../frames/decode.ts';
import { SpdyError } from '../frames/errors.ts';
import { goAwayStatus, streamIdMax } from '../frames/frame.ts';
import { defaultLimits, type SpdyLimits } from '../limits.ts';
import type { CreateStreamOptions, SpdySession, SpdySessionOptions, SpdyStream } from './contract.ts';
import { Creations } from './creations.ts';
import { IdleTimer } from './idle-timer.ts';
import { Inbound } from './inbound.ts';
import { Outbound } from './outbound.ts';
import { PeerSilence } from './peer-silence.ts';
import { Pings } from './pings.ts';
import { PauseReasons } from './receive-budget.ts';
import type { StreamEnd } from './stream.ts';
import { StreamTable } from './stream-table.ts';
import type { Tick, Ticks } from './ticks.ts';

/** Starts a session on a transport whose upgrade is done. Sends nothing by itself before the first stream or ping. */
export function createSpdySession(options: SpdySessionOptions): SpdySession {
  return new Session(options);
}

/** The life of a connection: wires the halves together and ends them in order. */
class Session implements SpdySession {
  readonly closed: Promise<Error | null>;
  readonly #settle: (outcome: Error | null) => void;
  readonly #transport: ByteChannel;
  readonly #clock: Ticks;
  readonly #limits: SpdyLimits;
  readonly #pauses: PauseReasons;
  readonly #outbound: Outbound;
  readonly #streams: StreamTable;
  readonly #creations: Creations;
  readonly #pings: Pings;
  readonly #inbound: Inbound;
  readonly #decoder: FrameDecoder;
  readonly #idle: IdleTimer | undefined;
  readonly #silence: PeerSilence | undefined;
  #nextStreamId: number;
  #lingerTimer: Tick | undefined;
  /** Why nothing goes on, once that is so. */
  #end: { outcome: Error | null; reason: Error } | undefined;

  constructor(options: SpdySessionOptions) {
    const { transport, role, clock, onStream, pingIntervalMs, idleTimeoutMs, silenceTimeoutMs } = options;
    const firstId = role === 'client' ? 1 : 2;
    const limits = { ...defaultLimits, ...options.limits };
    this.#transport = transport;
    this.#clock = clock;
    this.#limits = limits;
    this.#nextStreamId = firstId;
    this.#pauses = new PauseReasons(transport, () => {
      if (pingIntervalMs && !this.#end) this.#pings.knockWhilePaused(pingIntervalMs);
    });
    this.#outbound = new Outbound({
      transport,
      limits,
      sendsReplies: options.sendsReplies ?? true,
      pauses: this.#pauses,
      onFrame: () => this.#idle?.touch(),
      onData: (bytes) => this.#silence?.sent(bytes),
    });
    this.#streams = new StreamTable(this.#outbound, limits, this.#pauses);
    this.#creations = new Creations({ clock, replyTimeoutMs: limits.replyTimeoutMs });
    if (silenceTimeoutMs) {
      this.#silence = new PeerSilence({
        clock,
        role,
        timeoutMs: silenceTimeoutMs,
        stalledPeerBytes: limits.stalledPeerBytes,
        isPaused: () => this.#pauses.isPaused,
        onSilence: (silentMs) => this.#peerVanished(silentMs),
      });
    }
    this.#pings = new Pings({
      clock,
      firstId,
      pendingMax: limits.pingsMax,
      send: (id) => this.#outbound.sendPing(id),
      isPaused: () => this.#pauses.isPaused,
      silence: this.#silence,
    });
    this.#inbound = new Inbound({
      peerParity: role === 'client' ? 0 : 1,
      streamsMax: limits.streamsMax,
      streams: this.#streams,
      creations: this.#creations,
      pings: this.#pings,
      outbound: this.#outbound,
      onStream,
      onGoAway: (status) => this.#peerLeft(status),
      // A client that does not ping may not read either; one that has come is never pinged before it spoke.
      onPing: () => {
        this.#silence?.peerPinged();
        if (pingIntervalMs && !this.#end) this.#pings.startInterval(pingIntervalMs, 0);
      },
    });
    this.#decoder = new FrameDecoder(this.#inbound, limits);
    if (pingIntervalMs && role === 'client') this.#pings.startInterval(pingIntervalMs);
    if (idleTimeoutMs) {
      this.#idle = new IdleTimer({
        clock,
        timeoutMs: idleTimeoutMs,
        onIdle: () => this.#idled(idleTimeoutMs),
      });
    }
    const { promise, resolve } = Promise.withResolvers<Error | null>();
    this.closed = promise;
    this.#settle = resolve;
    transport.receive({
      data: (chunk) => this.#take(chunk),
      end: () => this.#transportEnded(),
      closed: (error) => this.#transportClosed(error),
    });
  }

  get streamCount(): number {
    return this.#streams.size;
  }

  get heldBytes(): number {
    return this.#streams.heldBytes;
  }

  async createStream(
    headers: Readonly<Record<string, string>>,
    { signal, fin = false }: CreateStreamOptions = {},
  ): Promise<SpdyStream> {
    this.#requireOpen('createStream');
    signal?.throwIfAborted();
    const id = this.#nextStreamId;
    if (id > streamIdMax)
      throw new SpdyError('invalid-state', 'createStream: this session has no stream ids left');
    this.#outbound.sendStream(id, headers, fin);
    this.#nextStreamId = id + 2;
    const named = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
    const stream = this.#streams.open({
      id,
      headers: named,
      initiated: true,
      localEnded: fin,
      remoteEnded: false,
    });
    return this.#creations.wait(stream, signal);
  }

  async ping(options?: WaitOptions): Promise<number> {
    this.#requireOpen('ping');
    return this.#pings.ping(options);
  }

  close(): void {
    if (this.#end) return;
    this.#closeOrderly(null, new SpdyError('session-closed', 'the session was closed by this side'));
  }

  abort(error: Error): void {
    this.#stop(error, error, (stream) => stream.fail(error));
    this.#transport.abort(error);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.close();
    await this.closed;
  }

  #requireOpen(action: string): void {
    if (!this.#end) return;
    const { reason } = this.#end;
    const code = reason instanceof SpdyError ? reason.code : 'session-closed';
    throw new SpdyError(code, `${action}: the session is closed: ${reason.message}`, { cause: reason });
  }

  #take(chunk: Uint8Array): void {
    if (this.#end) return;
    this.#idle?.touch();
    this.#silence?.heard();
    try {
      this.#decoder.push(chunk);
    } catch (error) {
      this.#peerFailed(error instanceof Error ? error : new Error(String(error)));
    }
  }

  /** The peer said GOAWAY: no frame is read or sent behind it, and closing the transport is up to us. */
  #peerLeft(status: number): void {
    const reason = new SpdyError('going-away', `the peer closed the session (GOAWAY status ${status})`);
    this.#stop(null, reason, (stream) => stream.finish(reason));
    this.#endTransport();
  }

  /** The peer broke the protocol or a limit. */
  #peerFailed(error: Error): void {
    this.#outbound.sendGoAway(this.#inbound.lastStreamId, goAwayStatus.protocolError);
    this.#stop(error, error, (stream) => stream.finish(error));
    this.#endTransport();
  }

  /** Nobody is there to be told: nothing is left to wait for. */
  #peerVanished(silentMs: number): void {
    const text = `the peer is gone: it answered no ping for ${Math.round(silentMs / 1000)} s`;
    const error = new SpdyError('peer-silent', text);
    this.#stop(error, error, (stream) => stream.finish(error));
    this.#transport.abort(error);
  }

  #idled(timeoutMs: number): void {
    const reason = new SpdyError('idle-timeout', `no frame was read or written for ${timeoutMs} ms`);
    this.#closeOrderly(reason, reason);
  }

  #closeOrderly(outcome: Error | null, reason: Error): void {
    this.#streams.endAll((stream) => stream.abort(reason));
    this.#outbound.sendGoAway(this.#inbound.lastStreamId, goAwayStatus.ok);
    this.#stop(outcome, reason, (stream) => stream.fail(reason));
    this.#endTransport();
  }

  #transportEnded(): void {
    const reason = new SpdyError('transport-closed', 'the transport ended without a GOAWAY');
    this.#stop(reason, reason, (stream) => stream.finish(reason));
    this.#endTransport();
  }

  #transportClosed(error: Error | null): void {
    const message = `the transport broke${error ? `: ${error.message}` : ''}`;
    const reason = new SpdyError('transport-closed', message, { cause: error });
    this.#stop(reason, reason, (stream) => stream.finish(reason));
    this.#lingerTimer?.cancel();
    this.#settle(this.#end?.outcome ?? null);
  }

  /** Ends everything but the transport; only the first call counts. */
  #stop(outcome: Error | null, reason: Error, closeStream: (stream: StreamEnd) => void): void {
    if (this.#end) return;
    this.#end = { outcome, reason };
    this.#decoder.stop();
    this.#outbound.stop();
    this.#pings.stop(reason);
    this.#idle?.stop();
    this.#streams.endAll(closeStream);
    this.#pauses.clear();
  }

  /** What is queued still leaves; what comes is discarded until the peer has closed too, within a bound. */
  #endTransport(): void {
    if (this.#lingerTimer) return;
    const { lingerMs } = this.#limits;
    this.#transport.end();
    this.#lingerTimer = this.#clock.after(lingerMs, () =>
      this.#transport.abort(new Error(`the peer did not close the transport within ${lingerMs} ms`)),
    );
  }
}
