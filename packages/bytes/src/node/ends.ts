import { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { TLSSocket } from 'node:tls';
import type { ByteReceiver, ByteSink, ByteSource, WaitOptions } from '../channel.ts';
import { DrainGate } from '../drain-gate.ts';
import { ChannelClosedError } from '../errors.ts';
import { lowWaterShare } from '../limits.ts';

/** Follows one Node stream to its end: null when every direction it has ended in order, otherwise why not. */
export class NodeLifetime {
  readonly closed: Promise<Error | null>;
  readonly #stream: Readable | Writable;
  #error: Error | null = null;
  #outcome: Error | null | undefined;

  constructor(stream: Readable | Writable) {
    this.#stream = stream;
    const { promise, resolve } = Promise.withResolvers<Error | null>();
    this.closed = promise;
    const settle = () => {
      this.#outcome = this.#error ?? stream.errored ?? this.#prematureEnd();
      resolve(this.#outcome);
    };
    stream.on('error', (error: Error) => {
      this.#error ??= error;
      stream.destroy();
    });
    if (stream.closed) settle();
    else stream.once('close', settle);
  }

  /** The outcome once the stream is gone. */
  get outcome(): Error | null | undefined {
    return this.#outcome;
  }

  /**
   * Destroys the stream; a TCP peer sees a reset, unless this side had ended before: Node 24 never finishes a shutdown
   * that a reset overtakes, and then spins for ever when the process exits.
   */
  abort(error: Error): void {
    const stream = this.#stream;
    if (stream.destroyed) return;
    this.#error ??= error;
    if (isPlainTcp(stream) && !stream.writableEnded) stream.resetAndDestroy();
    else stream.destroy(error);
  }

  #prematureEnd(): Error | null {
    const stream = this.#stream as Partial<Readable & Writable>;
    const read = stream.readableEnded ?? true;
    const written = stream.writableFinished ?? true;
    if (read && written) return null;
    return new ChannelClosedError('reset', 'the stream closed before both of its directions had ended');
  }
}

/** Only a TCP handle can be reset; pipes, unix sockets and TLS are torn down by closing. */
function isPlainTcp(stream: Readable | Writable): stream is Socket {
  return stream instanceof Socket && !(stream instanceof TLSSocket) && stream.remoteAddress !== undefined;
}

/** The reading half over a Node `Readable`. */
export class NodeSource implements ByteSource {
  readonly #readable: Readable;
  readonly #lifetime: NodeLifetime;
  #receiving = false;
  #paused = false;

  constructor(readable: Readable, lifetime: NodeLifetime) {
    this.#readable = readable;
    this.#lifetime = lifetime;
  }

  get closed(): Promise<Error | null> {
    return this.#lifetime.closed;
  }

  receive(receiver: ByteReceiver): void {
    if (this.#receiving) {
      throw new ChannelClosedError('already-receiving', 'receive: the channel already has its one receiver');
    }
    this.#receiving = true;
    if (this.#paused) this.#readable.pause();
    this.#readable.on('data', (chunk: unknown) => {
      const bytes = asBytes(chunk);
      if (bytes) receiver.data(bytes);
      else this.abort(new TypeError(`a stream of bytes gave ${typeof chunk}: neither bytes nor text`));
    });
    this.#readable.once('end', () => receiver.end());
    this.#lifetime.closed.then((error) => receiver.closed(error));
  }

  pause(): void {
    this.#paused = true;
    if (this.#receiving) this.#readable.pause();
  }

  resume(): void {
    this.#paused = false;
    if (this.#receiving) this.#readable.resume();
  }

  abort(error: Error): void {
    this.#lifetime.abort(error);
  }
}

/** The writing half over a Node `Writable`; the writes of one tick leave in one system call. */
export class NodeSink implements ByteSink {
  readonly #writable: Writable;
  readonly #lifetime: NodeLifetime;
  readonly #highWaterBytes: number;
  readonly #lowWaterBytes: number;
  readonly #gate = new DrainGate();
  #corked = false;
  #ended = false;

  constructor(writable: Writable, lifetime: NodeLifetime, highWaterBytes: number) {
    this.#writable = writable;
    this.#lifetime = lifetime;
    this.#highWaterBytes = highWaterBytes;
    this.#lowWaterBytes = highWaterBytes * lowWaterShare;
    lifetime.closed.then((error) => this.#gate.fail(() => closedError(error)));
  }

  get closed(): Promise<Error | null> {
    return this.#lifetime.closed;
  }

  get bufferedBytes(): number {
    return this.#writable.writableLength;
  }

  write(chunk: Uint8Array): boolean {
    if (this.#ended)
      throw new ChannelClosedError('ended', 'write: this side of the channel has already ended');
    if (this.#writable.destroyed) throw closedError(this.#lifetime.outcome ?? null);
    if (!this.#corked) {
      this.#corked = true;
      this.#writable.cork();
      setImmediate(this.#uncork);
    }
    this.#writable.write(chunk, this.#written);
    return this.#writable.writableLength < this.#highWaterBytes;
  }

  drained(options?: WaitOptions): Promise<void> {
    if (this.#writable.destroyed) return Promise.reject(closedError(this.#lifetime.outcome ?? null));
    if (this.#writable.writableLength <= this.#lowWaterBytes) return Promise.resolve();
    return this.#gate.wait(options);
  }

  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    if (!this.#writable.destroyed) this.#writable.end();
  }

  abort(error: Error): void {
    this.#lifetime.abort(error);
  }

  readonly #uncork = (): void => {
    this.#corked = false;
    this.#writable.uncork();
  };

  readonly #written = (error?: Error | null): void => {
    if (error || this.#writable.destroyed) return; // the lifetime's end refuses those who wait
    if (this.#gate.waiting && this.#writable.writableLength <= this.#lowWaterBytes) this.#gate.release();
  };
}

function closedError(cause: Error | null): ChannelClosedError {
  const reason = cause ? `: ${cause.message}` : '';
  return new ChannelClosedError('closed', `the channel is closed${reason}`, cause ? { cause } : undefined);
}

/** Streams in object mode, or with an encoding, give text: it is sent as UTF-8. */
function asBytes(chunk: unknown): Uint8Array | undefined {
  if (chunk instanceof Uint8Array) return chunk;
  return typeof chunk === 'string' ? Buffer.from(chunk) : undefined;
}
