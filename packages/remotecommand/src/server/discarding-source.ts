import { type ByteReceiver, type ByteSource, discard } from '@wherry/bytes';

/**
 * A source whose `abort` throws away what still comes instead of resetting the stream: a client whose input nobody
 * wants any more goes on undisturbed.
 */
export class DiscardingSource implements ByteSource {
  readonly closed: Promise<Error | null>;
  readonly #source: ByteSource;
  readonly #settle: (error: Error | null) => void;
  #receiver: ByteReceiver | undefined;
  #aborted = false;

  constructor(source: ByteSource) {
    this.#source = source;
    const { promise, resolve } = Promise.withResolvers<Error | null>();
    this.closed = promise;
    this.#settle = resolve;
    source.closed.then(resolve);
  }

  receive(receiver: ByteReceiver): void {
    this.#source.receive({
      data: (chunk) => this.#receiver?.data(chunk),
      end: () => this.#receiver?.end(),
      closed: (error) => this.#receiver?.closed(error),
    });
    this.#receiver = receiver;
  }

  pause(): void {
    if (!this.#aborted) this.#source.pause();
  }

  resume(): void {
    this.#source.resume();
  }

  abort(error: Error): void {
    if (this.#aborted) return;
    this.#aborted = true;
    const receiver = this.#receiver;
    if (receiver) this.#receiver = discard;
    else this.#source.receive(discard);
    this.#source.resume();
    this.#settle(error);
    receiver?.closed(error);
  }
}
