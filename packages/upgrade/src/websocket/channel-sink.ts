import type { ByteSink, WaitOptions } from '@wherry/bytes';
import { ChannelClosedError } from '@wherry/bytes';
import { channelMessageBytesMax, highWaterBytes } from '../limits.ts';

/** What a {@link ChannelSink} needs of the connection that its channel shares. */
export interface ChannelSender {
  readonly bufferedBytes: number;
  readonly closed: Promise<Error | null>;
  send(channel: number, data: Uint8Array): boolean;
  sendClose(channel: number): void;
  drained(options?: WaitOptions): Promise<void>;
}

/** What leaves on one channel of a {@link ChannelSocket}. */
export class ChannelSink implements ByteSink {
  readonly closed: Promise<Error | null>;
  readonly #owner: ChannelSender;
  readonly #channel: number;
  #ended = false;
  #gone = false;

  constructor(owner: ChannelSender, channel: number) {
    this.#owner = owner;
    this.#channel = channel;
    this.closed = owner.closed;
    this.closed.then(() => (this.#gone = true));
  }

  get bufferedBytes(): number {
    return this.#owner.bufferedBytes;
  }

  write(chunk: Uint8Array): boolean {
    if (this.#ended)
      throw new ChannelClosedError('ended', `write: channel ${this.#channel} has already ended`);
    if (this.#gone)
      throw new ChannelClosedError('closed', `write: the WebSocket of channel ${this.#channel} is closed`);
    for (let offset = 0; offset < chunk.length; offset += channelMessageBytesMax) {
      this.#owner.send(this.#channel, chunk.subarray(offset, offset + channelMessageBytesMax));
    }
    return this.bufferedBytes < highWaterBytes;
  }

  drained(options?: WaitOptions): Promise<void> {
    return this.#owner.drained(options);
  }

  end(): void {
    if (this.#ended || this.#gone) return;
    this.#ended = true;
    this.#owner.sendClose(this.#channel);
  }

  /** A WebSocket can't reset one channel: this one falls silent, and never says that it has ended. */
  abort(_error: Error): void {
    this.#ended = true;
  }
}
