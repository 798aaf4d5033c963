import type { ByteSink, ByteSource, WaitOptions } from '@wherry/bytes';
import type { Clock, Timer } from '@wherry/clock';
import { heldBytesMax } from '../limits.ts';
import { ChannelSink } from './channel-sink.ts';
import { ChannelSource } from './channel-source.ts';
import type { MessageSocket } from './message-socket.ts';

/** What a {@link ChannelSocket} is made from. */
export interface ChannelSocketOptions {
  socket: MessageSocket;
  /** binary: a channel byte, then the bytes. base64: text, a channel digit, then standard padded base64. */
  encoding: 'binary' | 'base64';
  /** Channels that bytes come from. Channels that are neither here nor in `sinks` are ignored. */
  sources: readonly number[];
  sinks: readonly number[];
  /**
   * Whether `ff <channel>` ends one direction of a channel (v5.channel.k8s.io): clients send it for stdin, servers
   * receive it. Default: neither.
   */
  closeSignal?: 'send' | 'receive' | undefined;
  /** Whether text messages on a binary protocol are taken (Go servers do, Go clients do not). Default true. */
  acceptText?: boolean | undefined;
}

/** Channel number in front of a v5 close message. */
const closeChannel = 255;

/** The highest channel number of the remote-command protocols; a close message for another one is an error. */
const lastChannel = 4;

const zeroDigit = 0x30;

/** Several byte streams in one WebSocket, told apart by the first byte of each message. */
export class ChannelSocket {
  readonly closed: Promise<Error | null>;
  readonly #socket: MessageSocket;
  readonly #options: ChannelSocketOptions;
  readonly #sources = new Map<number, ChannelSource>();
  readonly #sinks = new Map<number, ChannelSink>();
  #heldBytes = 0;
  /** Sent in front of the next message; see {@link ChannelSocket.greet}. */
  #greeting: { channel: number; timer: Timer } | null = null;

  constructor(options: ChannelSocketOptions) {
    this.#options = options;
    this.#socket = options.socket;
    this.closed = options.socket.closed;
    for (const channel of options.sources)
      this.#sources.set(channel, new ChannelSource(this.closed, this.#account));
    for (const channel of options.sinks) this.#sinks.set(channel, new ChannelSink(this, channel));
    this.#socket.receive({
      message: (data, isBinary) => this.#take(data, isBinary),
      closed: (error) => {
        this.#greeting?.timer.cancel();
        this.#greeting = null;
        for (const source of this.#sources.values()) source.finish(error);
      },
    });
  }

  get protocol(): string {
    return this.#socket.protocol;
  }

  get bufferedBytes(): number {
    return this.#socket.bufferedBytes;
  }

  /** Throws when `channel` was not named as a source. */
  source(channel: number): ByteSource {
    const source = this.#sources.get(channel);
    if (!source) throw new RangeError(`channel ${channel} is not among the sources of this WebSocket`);
    return source;
  }

  /** Throws when `channel` was not named as a sink. */
  sink(channel: number): ByteSink {
    const sink = this.#sinks.get(channel);
    if (!sink) throw new RangeError(`channel ${channel} is not among the sinks of this WebSocket`);
    return sink;
  }

  /** Sends an empty message on `channel`: in front of the first other message, or alone after `delayMs`. */
  greet({ channel, clock, delayMs }: { channel: number; clock: Clock; delayMs: number }): void {
    this.#greeting = { channel, timer: clock.after(delayMs, () => this.#greetNow()) };
  }

  /** Sends one message, however long; an empty one is only the channel number. */
  send(channel: number, data: Uint8Array): boolean {
    if (this.#greeting) this.#greetNow();
    return this.#send(channel, data);
  }

  #greetNow(): void {
    if (!this.#greeting) return;
    const { channel, timer } = this.#greeting;
    this.#greeting = null;
    timer.cancel();
    this.#send(channel, new Uint8Array(0));
  }

  #send(channel: number, data: Uint8Array): boolean {
    if (this.#options.encoding === 'binary') return this.#socket.sendBinary(data, Uint8Array.of(channel));
    return this.#socket.sendText(
      `${channel}${Buffer.from(data.buffer, data.byteOffset, data.length).toString('base64')}`,
    );
  }

  /** Tells the peer that nothing more comes on `channel`, where the protocol can say so. */
  sendClose(channel: number): void {
    if (this.#options.closeSignal === 'send') this.#socket.sendBinary(Uint8Array.of(closeChannel, channel));
  }

  drained(options?: WaitOptions): Promise<void> {
    return this.#socket.drained(options);
  }

  /** See {@link MessageSocket.close}. */
  close(code?: number): void {
    this.#socket.close(code);
  }

  abort(error: Error): void {
    this.#socket.abort(error);
  }

  #take(data: Uint8Array, isBinary: boolean): void {
    if (!isBinary && this.#options.encoding === 'binary' && this.#options.acceptText === false) {
      this.#socket.abort(new Error('unexpected message type: text on a binary sub-protocol'));
      return;
    }
    const first = data[0];
    if (first === undefined) return;
    if (this.#options.closeSignal === 'receive' && first === closeChannel) this.#takeClose(data);
    else this.#takeData(first, data);
  }

  #takeData(first: number, data: Uint8Array): void {
    const isBase64 = this.#options.encoding === 'base64';
    const source = this.#sources.get(isBase64 ? first - zeroDigit : first);
    if (!source) return;
    const bytes = isBase64 ? decodeBase64(data.subarray(1)) : data.subarray(1);
    if (bytes && bytes.length > 0) source.push(bytes);
  }

  #takeClose(data: Uint8Array): void {
    const channel = data[1] ?? closeChannel;
    if (data.length !== 2 || channel > lastChannel) {
      this.#socket.abort(
        new Error(`bad close message [${[...data.subarray(0, 8)].join(' ')}]: want 255 and a channel`),
      );
      return;
    }
    this.#sources.get(channel)?.finish(null);
  }

  /** Counts what stalled readers hold, and slows the peer above the bound: all channels share one connection. */
  readonly #account = (bytes: number): void => {
    const before = this.#heldBytes;
    this.#heldBytes += bytes;
    if (this.#heldBytes >= heldBytesMax && bytes > 0) this.#socket.pause();
    else if (before >= heldBytesMax / 2 && this.#heldBytes < heldBytesMax / 2) this.#socket.resume();
  };
}

/** undefined for what is no base64; such a message is skipped. */
function decodeBase64(data: Uint8Array): Uint8Array | undefined {
  const text = Buffer.from(data.buffer, data.byteOffset, data.length).toString('latin1');
  if (text.length % 4 !== 0 || !/^[+/0-9A-Za-z]*={0,2}$/.test(text)) return undefined;
  return Buffer.from(text, 'base64');
}
