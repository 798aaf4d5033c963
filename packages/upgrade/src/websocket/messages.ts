import type { Duplex } from 'node:stream';
import type { WaitOptions } from '@wherry/bytes';
import { DrainGate } from '@wherry/bytes';
import type { Clock } from '@wherry/clock';
import type { WebSocket } from 'ws';
import { Liveness } from '../http/liveness.ts';
import { highWaterBytes, pingingClientSilenceTimeoutMs, stalledPeerBytes } from '../limits.ts';
import { encodeFrame, opcodes } from './message-frame.ts';
import type { MessageReceiver, MessageSocket } from './message-socket.ts';
import { isClosedInOrder, WebSocketClosedError } from './message-socket.ts';
import { PingProgress } from './ping-progress.ts';

/** What {@link WebSocketMessages} is made from. */
export interface WebSocketMessagesOptions {
  /** Open, and nobody else's. */
  webSocket: WebSocket;
  /** The transport under it: data frames are written here directly, so that payloads are not copied. */
  socket: Duplex;
  /** The chosen sub-protocol; '' when there is none. */
  protocol: string;
  role: 'client' | 'server';
  clock?: Clock | undefined;
  pingIntervalMs: number;
  silenceTimeoutMs: number;
}

const nothing = new Uint8Array(0);

/** A `ws` WebSocket as a {@link MessageSocket}. */
export class WebSocketMessages implements MessageSocket {
  readonly protocol: string;
  readonly closed: Promise<Error | null>;
  readonly #webSocket: WebSocket;
  readonly #socket: Duplex;
  readonly #masked: boolean;
  readonly #gate = new DrainGate();
  readonly #progress = new PingProgress();
  readonly #liveness: Liveness;
  readonly #settle: (error: Error | null) => void;
  #receiver: MessageReceiver | undefined;
  /** Messages of the first read, which can come before there is a receiver. */
  #early: { data: Uint8Array; isBinary: boolean }[] = [];
  /** The peer pings by itself, whether or not it reads: then its silence says something at any time. */
  #peerPings = false;
  #paused = false;
  #corked = false;
  #closing = false;
  #failure: Error | undefined;
  #outcome: Error | null | undefined;

  constructor(options: WebSocketMessagesOptions) {
    const { webSocket, socket, role } = options;
    this.protocol = options.protocol;
    this.#webSocket = webSocket;
    this.#socket = socket;
    this.#masked = role === 'client';
    const settled = Promise.withResolvers<Error | null>();
    this.closed = settled.promise;
    this.#settle = settled.resolve;
    this.#liveness = new Liveness({
      clock: options.clock,
      intervalMs: options.pingIntervalMs,
      silenceTimeoutMs: options.silenceTimeoutMs,
      isPaused: () =>
        this.#paused || (!this.#peerPings && this.#progress.unconfirmedBytes > stalledPeerBytes),
      beat: () => this.#beat(),
      onSilence: (silentMs) =>
        this.abort(new Error(`the WebSocket peer was silent for ${Math.round(silentMs)} ms`)),
    });
    webSocket.pause();
    webSocket.on('message', (data, isBinary) => this.#deliver(data as Buffer, isBinary));
    webSocket.on('error', (error) => (this.#failure ??= error));
    webSocket.on('close', (code, reason) => this.#finish(code, reason.toString()));
    socket.on('error', (error) => (this.#failure ??= error));
    webSocket.on('ping', () => this.#pinged());
    webSocket.on('pong', () => this.#progress.answered());
    socket.on('data', () => this.#liveness.heard());
    socket.on('drain', () => this.#gate.release());
  }

  get bufferedBytes(): number {
    return this.#socket.writableLength;
  }

  receive(receiver: MessageReceiver): void {
    if (this.#receiver) throw new Error('receive: the WebSocket already has its one receiver');
    this.#receiver = receiver;
    queueMicrotask(() => {
      const early = this.#early;
      this.#early = [];
      for (const { data, isBinary } of early) receiver.message(data, isBinary);
      if (this.#outcome !== undefined) receiver.closed(this.#outcome);
      else if (!this.#paused) this.#webSocket.resume();
    });
  }

  sendBinary(payload: Uint8Array | readonly Uint8Array[], prefix?: Uint8Array): boolean {
    return this.#send(opcodes.binary, payload instanceof Uint8Array ? [payload] : payload, prefix);
  }

  sendText(text: string): boolean {
    return this.#send(opcodes.text, [Buffer.from(text)], undefined);
  }

  drained(options: WaitOptions = {}): Promise<void> {
    if (this.#outcome !== undefined)
      return Promise.reject(this.#outcome ?? new WebSocketClosedError(1000, ''));
    if (this.bufferedBytes < highWaterBytes) return Promise.resolve();
    return this.#gate.wait(options);
  }

  pause(): void {
    this.#paused = true;
    this.#webSocket.pause();
  }

  resume(): void {
    if (!this.#paused) return;
    this.#paused = false;
    this.#liveness.heard();
    if (this.#receiver) this.#webSocket.resume();
  }

  close(code = 1000): void {
    if (this.#closing) return;
    this.#closing = true;
    this.resume();
    this.#webSocket.resume();
    this.#webSocket.close(code);
  }

  abort(error: Error): void {
    if (this.#outcome !== undefined) return;
    this.#failure ??= error;
    this.#webSocket.terminate();
  }

  #send(opcode: number, payload: readonly Uint8Array[], prefix: Uint8Array | undefined): boolean {
    if (this.#closing || this.#webSocket.readyState !== this.#webSocket.OPEN) return true;
    let payloadBytes = 0;
    for (const chunk of payload) payloadBytes += chunk.length;
    this.#progress.sent(payloadBytes);
    this.#cork();
    for (const part of encodeFrame({ opcode, masked: this.#masked, prefix, payload, payloadBytes })) {
      this.#socket.write(part);
    }
    return this.bufferedBytes < highWaterBytes;
  }

  /** Gathers the frames of one tick into one system call. */
  #cork(): void {
    if (this.#corked) return;
    this.#corked = true;
    this.#socket.cork();
    process.nextTick(() => {
      this.#corked = false;
      this.#socket.uncork();
    });
  }

  #beat(): void {
    if (this.#webSocket.readyState !== this.#webSocket.OPEN || this.bufferedBytes > 0) return;
    if (this.#paused && !this.#masked) {
      this.#webSocket.pong(nothing);
      return;
    }
    this.#progress.pinged();
    this.#webSocket.ping(nothing);
  }

  #pinged(): void {
    this.#peerPings = true;
    if (!this.#masked) this.#liveness.limitSilence(pingingClientSilenceTimeoutMs);
  }

  #deliver(data: Uint8Array, isBinary: boolean): void {
    if (this.#receiver && this.#early.length === 0) this.#receiver.message(data, isBinary);
    else if (this.#receiver || !this.#closing) this.#early.push({ data, isBinary });
  }

  #finish(code: number, reason: string): void {
    if (this.#outcome !== undefined) return;
    this.#liveness.stop();
    this.#outcome = this.#judge(code, reason);
    this.#gate.fail(() => this.#outcome ?? new WebSocketClosedError(1000, ''));
    this.#settle(this.#outcome);
    if (this.#receiver && this.#early.length === 0) this.#receiver.closed(this.#outcome);
  }

  #judge(code: number, reason: string): Error | null {
    if (this.#failure) return this.#failure;
    if (isClosedInOrder(code)) return null;
    if (this.#closing && code === 1006 && this.bufferedBytes === 0) return null;
    return new WebSocketClosedError(code, reason);
  }
}
