import type { ByteChannel, ByteReceiver, ByteSink, ByteSource, WaitOptions } from '../channel.ts';

/** A channel over a source and a sink; how both are aborted and closed together is its own. */
export abstract class SplitChannel implements ByteChannel {
  abstract readonly closed: Promise<Error | null>;
  readonly #source: ByteSource;
  readonly #sink: ByteSink;

  constructor(source: ByteSource, sink: ByteSink) {
    this.#source = source;
    this.#sink = sink;
  }

  get bufferedBytes(): number {
    return this.#sink.bufferedBytes;
  }

  receive(receiver: ByteReceiver): void {
    this.#source.receive(receiver);
  }

  pause(): void {
    this.#source.pause();
  }

  resume(): void {
    this.#source.resume();
  }

  write(chunk: Uint8Array): boolean {
    return this.#sink.write(chunk);
  }

  drained(options?: WaitOptions): Promise<void> {
    return this.#sink.drained(options);
  }

  end(): void {
    this.#sink.end();
  }

  abstract abort(error: Error): void;
}
