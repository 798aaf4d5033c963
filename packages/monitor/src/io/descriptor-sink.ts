import { writeSync } from 'node:fs';
import { type ByteSink, ChannelClosedError, DrainGate, type WaitOptions } from '@wherry/bytes';
import { closeDescriptor, hasCode, type Poller, pollEvents, setNonBlocking, type Watch } from '@wherry/linux';
import { limits } from '../limits.ts';

/**
 * Bytes into a pipe or terminal, without ever blocking: what does not fit waits for the descriptor to be writable.
 * Owns the descriptor and closes it at the end.
 */
export class DescriptorSink implements ByteSink {
  readonly closed: Promise<Error | null>;
  readonly #descriptor: number;
  readonly #poller: Poller;
  readonly #gate = new DrainGate();
  readonly #finish: (error: Error | null) => void;
  #queue: Uint8Array[] = [];
  #queuedBytes = 0;
  #watch: Watch | null = null;
  #ending = false;
  #gone = false;

  constructor(descriptor: number, poller: Poller) {
    setNonBlocking(descriptor, true);
    this.#descriptor = descriptor;
    this.#poller = poller;
    const { promise, resolve } = Promise.withResolvers<Error | null>();
    this.closed = promise;
    this.#finish = resolve;
  }

  get bufferedBytes(): number {
    return this.#queuedBytes;
  }

  write(chunk: Uint8Array): boolean {
    if (this.#ending || this.#gone) throw new ChannelClosedError('ended', 'write: the input has ended');
    this.#queue.push(chunk);
    this.#queuedBytes += chunk.byteLength;
    if (!this.#watch) this.#flush();
    return this.#queuedBytes <= limits.stdinHighWaterBytes;
  }

  drained(options?: WaitOptions): Promise<void> {
    if (this.#gone) return Promise.reject(new ChannelClosedError('closed', 'drained: the input is closed'));
    if (this.#queuedBytes <= limits.stdinLowWaterBytes) return Promise.resolve();
    return this.#gate.wait(options);
  }

  end(): void {
    this.#ending = true;
    if (this.#queuedBytes === 0) this.#close(null);
  }

  abort(error: Error): void {
    this.#close(error);
  }

  #flush(): void {
    try {
      while (this.#queue.length > 0) this.#writeFirst();
    } catch (error) {
      if (hasCode(error, 'EAGAIN')) this.#wait();
      else this.#close(error as Error);
      return;
    }
    if (this.#ending) this.#close(null);
  }

  #writeFirst(): void {
    const chunk = this.#queue[0]!;
    const written = writeSync(this.#descriptor, chunk);
    this.#queuedBytes -= written;
    if (written < chunk.byteLength) this.#queue[0] = chunk.subarray(written);
    else this.#queue.shift();
    if (this.#queuedBytes <= limits.stdinLowWaterBytes) this.#gate.release();
  }

  #wait(): void {
    if (this.#watch) this.#watch.again();
    else
      this.#watch = this.#poller.watch(this.#descriptor, pollEvents.writable, () => this.#flushAfterWait());
  }

  #flushAfterWait(): void {
    if (this.#gone) return;
    this.#flush();
    if (this.#queue.length > 0 || this.#gone) return;
    this.#watch?.stop();
    this.#watch = null;
  }

  #close(error: Error | null): void {
    if (this.#gone) return;
    this.#gone = true;
    this.#queue = [];
    this.#queuedBytes = 0;
    this.#watch?.stop();
    closeDescriptor(this.#descriptor);
    this.#gate.fail(() => error ?? new ChannelClosedError('closed', 'drained: the input is closed'));
    this.#finish(error);
  }
}
