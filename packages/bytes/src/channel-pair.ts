import type { ByteChannel, WaitOptions } from './channel.ts';
import { DrainGate } from './drain-gate.ts';
import { ChannelClosedError } from './errors.ts';
import { InboxSource } from './halves/inbox-source.ts';
import { defaultHighWaterBytes, lowWaterShare } from './limits.ts';

/** Options of {@link channelPair}. */
export interface ChannelPairOptions {
  /** Bytes written and not yet taken by the other end's receiver from which on `write` returns false. Default 256 KiB. */
  highWaterBytes?: number | undefined;
}

/** Two channels in memory, each the other's peer. Delivery is asynchronous (next microtask), in order, not copied. */
export function channelPair(options: ChannelPairOptions = {}): [ByteChannel, ByteChannel] {
  const highWaterBytes = options.highWaterBytes ?? defaultHighWaterBytes;
  const left = new PairedChannel(highWaterBytes);
  const right = new PairedChannel(highWaterBytes);
  left.join(right);
  right.join(left);
  return [left, right];
}

class PairedChannel extends InboxSource implements ByteChannel {
  readonly closed: Promise<Error | null>;
  readonly #settle: (outcome: Error | null) => void;
  readonly #highWaterBytes: number;
  readonly #gate = new DrainGate();
  #peer: PairedChannel = this;
  /** Written in this turn, to be delivered by the next microtask. */
  #outgoing: Uint8Array[] = [];
  #scheduled = false;
  #bufferedBytes = 0;
  #ended = false;
  #endDelivered = false;
  #gone = false;

  constructor(highWaterBytes: number) {
    super();
    this.#highWaterBytes = highWaterBytes;
    const { promise, resolve } = Promise.withResolvers<Error | null>();
    this.closed = promise;
    this.#settle = resolve;
  }

  join(peer: PairedChannel): void {
    this.#peer = peer;
  }

  get bufferedBytes(): number {
    return this.#bufferedBytes;
  }

  write(chunk: Uint8Array): boolean {
    if (this.#ended)
      throw new ChannelClosedError('ended', 'write: this side of the channel has already ended');
    if (this.#gone) throw new ChannelClosedError('closed', 'write: the channel is closed');
    this.#bufferedBytes += chunk.length;
    this.#outgoing.push(chunk);
    this.#schedule();
    return this.#bufferedBytes < this.#highWaterBytes;
  }

  drained(options?: WaitOptions): Promise<void> {
    if (this.#gone) return Promise.reject(new ChannelClosedError('closed', 'drained: the channel is closed'));
    if (this.#bufferedBytes <= this.#highWaterBytes * lowWaterShare) return Promise.resolve();
    return this.#gate.wait(options);
  }

  end(): void {
    if (this.#ended || this.#gone) return;
    this.#ended = true;
    this.#schedule();
  }

  abort(error: Error): void {
    if (this.#gone) return;
    const peer = this.#peer;
    this.#leave(error);
    peer.#leave(new ChannelClosedError('reset', `the peer aborted: ${error.message}`, { cause: error }));
  }

  protected released(bytes: number): void {
    this.#peer.#taken(bytes);
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    queueMicrotask(() => {
      this.#scheduled = false;
      this.#deliver();
    });
  }

  #deliver(): void {
    const peer = this.#peer;
    const batch = this.#outgoing;
    this.#outgoing = [];
    for (const chunk of batch) {
      if (this.#gone) return;
      if (!peer.inbox.push(chunk)) this.#taken(chunk.length);
    }
    if (this.#ended && this.#outgoing.length === 0 && !this.#endDelivered && !this.#gone)
      this.#deliverEnd(peer);
  }

  #deliverEnd(peer: PairedChannel): void {
    this.#endDelivered = true;
    peer.inbox.end();
    if (peer.#endDelivered) {
      this.#part();
      peer.#part();
    }
  }

  /** Both directions ended in order. */
  #part(): void {
    this.#gone = true;
    this.inbox.finish(null);
    this.#settle(null);
  }

  #leave(error: Error): void {
    if (this.#gone) return;
    this.#gone = true;
    this.#outgoing = [];
    this.#gate.fail(
      () => new ChannelClosedError('closed', `the channel is closed: ${error.message}`, { cause: error }),
    );
    this.inbox.fail(error);
    this.#settle(error);
  }

  /** The peer's receiver took bytes, or they were dropped. */
  #taken(bytes: number): void {
    this.#bufferedBytes -= bytes;
    if (this.#gate.waiting && this.#bufferedBytes <= this.#highWaterBytes * lowWaterShare)
      this.#gate.release();
  }
}
