import type { ByteSink } from '@wherry/bytes';
import { type Clock, sleep } from '@wherry/clock';
import type { LogStream } from '@wherry/cri/log';
import { limits } from '../../limits.ts';

/** One client's ends; null where it did not ask for the stream. */
export type Attachment = Record<LogStream, ByteSink | null>;

/** What an {@link AttachedClient} is made of. */
export interface AttachedClientOptions {
  attachment: Attachment;
  clock: Clock;
  /** How long it may take nothing before nobody waits for it any more. */
  patienceMs: number;
  /** It is further behind than it may be. */
  onDropped: () => void;
}

/** One attached client: what it has been sent, and whether its container should wait for it. */
export class AttachedClient {
  readonly #sinks: Attachment;
  readonly #clock: Clock;
  readonly #patienceMs: number;
  readonly #onDropped: () => void;
  /** Ends that have more queued than they should, and when they no longer have. */
  readonly #slow = new Map<ByteSink, Promise<void>>();
  /** Bytes queued when it was last looked at. */
  #queuedBytes = 0;
  /** Since when it has taken nothing, and what was queued then. */
  #restingSinceMs = 0;
  #restingBytes = 0;
  #isStalled = false;
  #isAttached = true;

  constructor({ attachment, clock, patienceMs, onDropped }: AttachedClientOptions) {
    this.#sinks = { ...attachment };
    this.#clock = clock;
    this.#patienceMs = patienceMs;
    this.#onDropped = onDropped;
  }

  /** Nobody waits for it any more. */
  leave(): void {
    this.#isAttached = false;
  }

  /** Queues a chunk; the client owns the array from here on. */
  send(stream: LogStream, chunk: Uint8Array): void {
    const sink = this.#sinks[stream];
    if (!sink) return;
    this.#look();
    try {
      if (!sink.write(chunk)) this.#noteSlow(stream, sink);
    } catch {
      this.#forget(stream, sink);
      return;
    }
    this.#queuedBytes = sink.bufferedBytes;
    if (this.#queuedBytes > limits.attachBacklogBytesMax) this.#onDropped();
  }

  /** Settles when it has room for more; null when nothing is to be waited for. */
  ready(): Promise<void> | null {
    return this.#mustWait() ? this.#wait() : null;
  }

  async #wait(): Promise<void> {
    while (this.#mustWait()) {
      const tick = new AbortController();
      const nextLook = sleep({ clock: this.#clock, delayMs: limits.attachLookMs, signal: tick.signal });
      await Promise.race([...this.#slow.values(), nextLook]);
      tick.abort();
    }
  }

  /** A client that takes nothing is still sent a little: most containers write no more, and never notice it. */
  #mustWait(): boolean {
    if (!this.#isAttached || this.#isStalled || this.#slow.size === 0) return false;
    this.#look();
    const restingMs = this.#clock.monotonicMs() - this.#restingSinceMs;
    this.#isStalled = restingMs >= this.#patienceMs;
    if (this.#isStalled) return false;
    const trickledBytes = this.#queuedBytes - this.#restingBytes;
    return trickledBytes >= (restingMs / 1_000) * limits.attachTrickleBytesPerSecond;
  }

  /** Notices whether something was taken since the last look. The queue is one for all ends of a client. */
  #look(): void {
    const [sink] = this.#slow.keys();
    if (!sink || sink.bufferedBytes >= this.#queuedBytes) return;
    this.#startRest(sink.bufferedBytes);
  }

  #startRest(queuedBytes: number): void {
    this.#queuedBytes = queuedBytes;
    this.#restingBytes = queuedBytes;
    this.#restingSinceMs = this.#clock.monotonicMs();
  }

  #noteSlow(stream: LogStream, sink: ByteSink): void {
    if (this.#slow.has(sink)) return;
    if (this.#slow.size === 0) this.#startRest(sink.bufferedBytes);
    const hasCaughtUp = () => {
      this.#slow.delete(sink);
      if (this.#slow.size === 0) this.#isStalled = false;
    };
    const caughtUp = sink.drained().then(hasCaughtUp, () => this.#forget(stream, sink));
    this.#slow.set(sink, caughtUp);
  }

  /** The client has closed this end; it may still want the other. */
  #forget(stream: LogStream, sink: ByteSink): void {
    this.#sinks[stream] = null;
    this.#slow.delete(sink);
  }
}
