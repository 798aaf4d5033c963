import { type ByteSink, ChannelClosedError, type WaitOptions } from '@wherry/bytes';

/**
 * The input of a command. Whoever types can't know yet that the command takes no more: what comes then is dropped, as the
 * session itself tells how it ended. Only a write after `end` is a mistake, and throws.
 */
export class InputSink implements ByteSink {
  readonly closed: Promise<Error | null>;
  readonly #sink: ByteSink;
  #hasEnded = false;

  constructor(sink: ByteSink) {
    this.#sink = sink;
    this.closed = sink.closed;
  }

  get bufferedBytes(): number {
    return this.#sink.bufferedBytes;
  }

  write(chunk: Uint8Array): boolean {
    try {
      return this.#sink.write(chunk);
    } catch (error) {
      if (this.#hasEnded || !(error instanceof ChannelClosedError)) throw error;
      return true;
    }
  }

  async drained(options?: WaitOptions): Promise<void> {
    try {
      await this.#sink.drained(options);
    } catch {
      options?.signal?.throwIfAborted();
    }
  }

  end(): void {
    this.#hasEnded = true;
    this.#sink.end();
  }

  abort(error: Error): void {
    this.#sink.abort(error);
  }
}
