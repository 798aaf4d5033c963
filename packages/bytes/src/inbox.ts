import type { ByteReceiver } from './channel.ts';
import { ChannelClosedError } from './errors.ts';
import { inboxBackingShare, inboxBlockBytes } from './limits.ts';

const nothing = new Uint8Array(0);
/** Memory that will be written over: Node has it without clearing it first. */
const allocate: (bytes: number) => Uint8Array = globalThis.Buffer
  ? (bytes) => Buffer.allocUnsafeSlow(bytes)
  : (bytes) => new Uint8Array(bytes);

/** Delivered slots kept at the front of the queue before it is compacted. */
const headMax = 1024;

/** What an {@link Inbox} reports to the one who fills it. */
export interface InboxOptions {
  /** Called each time held bytes were handed to the receiver or dropped, with how many. */
  onReleased?: ((bytes: number) => void) | undefined;
}

/**
 * The reading half of a channel: hands bytes to the one receiver, holds them while there is none or it has paused,
 * and keeps the order data, end, closed. The filler looks at {@link heldBytes} and slows the peer.
 *
 * Nothing is copied on the way through. Pieces that have to be held and are a small part of their backing memory are
 * gathered into blocks, so that what an inbox keeps alive stays in proportion to `heldBytes`.
 */
export class Inbox {
  readonly #onReleased: ((bytes: number) => void) | undefined;
  #receiver: ByteReceiver | undefined;
  #held: Uint8Array[] = [];
  /** Index of the first piece in {@link #held} that was not delivered yet. */
  #head = 0;
  #heldBytes = 0;
  /** Unused rest of the block that the last held piece lies in. */
  #spare: Uint8Array | undefined;
  #paused = false;
  #flushing = false;
  /** Between a wake-up being scheduled and its run: new bytes queue behind the held ones. */
  #waking = false;
  #ended = false;
  #endDelivered = false;
  /** What `closed` will say; undefined while the channel lives. */
  #outcome: Error | null | undefined;
  #done = false;

  constructor(options: InboxOptions = {}) {
    this.#onReleased = options.onReleased;
  }

  /** Bytes held for a receiver that is absent or paused. */
  get heldBytes(): number {
    return this.#heldBytes;
  }

  /** True once `end` or an outcome was given: no more bytes are taken. */
  get finished(): boolean {
    return this.#ended || this.#outcome !== undefined;
  }

  /** See `ByteSource.receive`. */
  receive(receiver: ByteReceiver): void {
    if (this.#receiver) {
      throw new ChannelClosedError('already-receiving', 'receive: the channel already has its one receiver');
    }
    this.#receiver = receiver;
    this.#wake();
  }

  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    if (!this.#paused) return;
    this.#paused = false;
    if (this.#receiver) this.#wake();
  }

  /**
   * Takes bytes from the peer; silently drops them once the inbox is finished. Returns true when they have to be
   * held: `onReleased` tells when they no longer are.
   */
  push(chunk: Uint8Array): boolean {
    if (this.finished || chunk.length === 0) return false;
    if (this.#receiver && !this.#paused && !this.#flushing && !this.#waking && this.#heldBytes === 0) {
      this.#receiver.data(chunk);
      return false;
    }
    this.#hold(chunk);
    return true;
  }

  /** The peer finished its direction. */
  end(): void {
    if (this.finished) return;
    this.#ended = true;
    this.#flush();
  }

  /** The channel is gone; what is held is still delivered first. */
  finish(outcome: Error | null): void {
    if (this.#outcome !== undefined) return;
    this.#outcome = outcome;
    if (this.#receiver) this.#wake();
  }

  /** The channel is gone; what is held is dropped and `end` is not told. An earlier reason stands. */
  fail(error: Error): void {
    if (this.#done) return;
    this.#outcome ??= error;
    this.#ended = false;
    this.#forget();
    this.#release(this.#heldBytes);
    this.#paused = false;
    if (this.#receiver) this.#wake();
  }

  #hold(chunk: Uint8Array): void {
    this.#heldBytes += chunk.length;
    if (chunk.length * inboxBackingShare >= chunk.buffer.byteLength) {
      this.#held.push(chunk);
      this.#spare = undefined;
    } else {
      this.#gather(chunk);
    }
  }

  #gather(chunk: Uint8Array): void {
    const last = this.#held.at(-1);
    if (last && this.#spare && chunk.length <= this.#spare.length) {
      this.#spare.set(chunk);
      this.#spare = this.#spare.subarray(chunk.length);
      const grown = new Uint8Array(last.buffer, last.byteOffset, last.length + chunk.length);
      this.#held[this.#held.length - 1] = grown;
      return;
    }
    const block = allocate(Math.max(chunk.length, inboxBlockBytes));
    block.set(chunk);
    this.#held.push(block.subarray(0, chunk.length));
    this.#spare = block.subarray(chunk.length);
  }

  #wake(): void {
    if (this.#waking) return;
    this.#waking = true;
    queueMicrotask(() => {
      this.#waking = false;
      this.#flush();
    });
  }

  #flush(): void {
    const receiver = this.#receiver;
    if (!receiver || this.#flushing || this.#waking || this.#done) return;
    this.#flushing = true;
    try {
      this.#deliverHeld(receiver);
    } finally {
      this.#flushing = false;
    }
    if (this.#heldBytes === 0 && !this.#paused) this.#deliverEnd(receiver);
  }

  #deliverHeld(receiver: ByteReceiver): void {
    while (!this.#paused && this.#head < this.#held.length) {
      const chunk = this.#held[this.#head]!;
      this.#held[this.#head++] = nothing;
      if (this.#head === this.#held.length) this.#forget();
      else if (this.#head === headMax) this.#compact();
      this.#release(chunk.length);
      receiver.data(chunk);
    }
  }

  #forget(): void {
    this.#held = [];
    this.#head = 0;
    this.#spare = undefined;
  }

  #compact(): void {
    this.#held = this.#held.slice(this.#head);
    this.#head = 0;
  }

  #deliverEnd(receiver: ByteReceiver): void {
    if (this.#ended && !this.#endDelivered) {
      this.#endDelivered = true;
      receiver.end();
    }
    if (this.#outcome !== undefined && !this.#done) {
      this.#done = true;
      receiver.closed(this.#outcome);
    }
  }

  #release(bytes: number): void {
    if (bytes === 0) return;
    this.#heldBytes -= bytes;
    this.#onReleased?.(bytes);
  }
}
