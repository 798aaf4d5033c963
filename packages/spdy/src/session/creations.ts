import { onAbort } from '@wherry/bytes';
import { SpdyError } from '../frames/errors.ts';
import type { StreamEnd } from './stream.ts';
import type { Ticks } from './ticks.ts';

interface Creation {
  stream: StreamEnd;
  resolve(stream: StreamEnd): void;
  reject(reason: unknown): void;
  cleanup(): void;
}

/** Options of {@link Creations}. */
export interface CreationsOptions {
  clock: Ticks;
  replyTimeoutMs: number;
}

/** Streams that this side opened and whose SYN_REPLY is awaited. */
export class Creations {
  readonly #options: CreationsOptions;
  readonly #waiting = new Map<number, Creation>();

  constructor(options: CreationsOptions) {
    this.#options = options;
  }

  /** Waits for the reply; a time-out or the signal resets the stream. */
  wait(stream: StreamEnd, signal: AbortSignal | undefined): Promise<StreamEnd> {
    const { clock, replyTimeoutMs } = this.#options;
    const { promise, resolve, reject } = Promise.withResolvers<StreamEnd>();
    const expire = () => {
      const message = `stream ${stream.id} got no SYN_REPLY within ${replyTimeoutMs} ms`;
      this.#abandon(stream.id, new SpdyError('reply-timeout', message));
    };
    const timer = clock.after(replyTimeoutMs, expire);
    const leave = onAbort(signal, (reason) => this.#abandon(stream.id, reason));
    const cleanup = () => {
      timer.cancel();
      leave();
    };
    this.#waiting.set(stream.id, { stream, resolve, reject, cleanup });
    stream.closed.then((error) => this.#failed(stream.id, error));
    return promise;
  }

  /** The peer's SYN_REPLY came. */
  replied(streamId: number): void {
    const creation = this.#take(streamId);
    creation?.resolve(creation.stream);
  }

  #abandon(streamId: number, reason: unknown): void {
    const creation = this.#take(streamId);
    creation?.reject(reason);
    creation?.stream.reset();
  }

  #failed(streamId: number, error: Error | null): void {
    const fallback = new SpdyError('invalid-state', `stream ${streamId} closed before its reply`);
    this.#take(streamId)?.reject(error ?? fallback);
  }

  #take(streamId: number): Creation | undefined {
    const creation = this.#waiting.get(streamId);
    this.#waiting.delete(streamId);
    creation?.cleanup();
    return creation;
  }
}
