import type { Duplex, Readable, Writable } from 'node:stream';
import type { ByteChannel, ByteReceiver, ByteSink, ByteSource, WaitOptions } from '../channel.ts';
import { defaultHighWaterBytes } from '../limits.ts';
import { NodeLifetime, NodeSink, NodeSource } from './ends.ts';

/** Options of the adapters that write into a Node stream. */
export interface NodeAdapterOptions {
  /** Bytes queued from which on `write` returns false. Default 256 KiB. */
  highWaterBytes?: number;
}

/**
 * A channel over a Node duplex stream or socket. The stream becomes half-open (a FIN from the peer does not end this
 * side), and belongs to the channel from here on. Writes of one tick are gathered into one system call.
 */
export function fromDuplex(duplex: Duplex, options: NodeAdapterOptions = {}): ByteChannel {
  duplex.allowHalfOpen = true;
  return new DuplexChannel(duplex, options.highWaterBytes ?? defaultHighWaterBytes);
}

/** The reading half of a channel over a Node readable; `closed` is null once it ended in order. */
export function fromReadable(readable: Readable): ByteSource {
  return new NodeSource(readable, new NodeLifetime(readable));
}

/** The writing half of a channel over a Node writable; `closed` is null once everything was flushed after `end`. */
export function fromWritable(writable: Writable, options: NodeAdapterOptions = {}): ByteSink {
  return new NodeSink(writable, new NodeLifetime(writable), options.highWaterBytes ?? defaultHighWaterBytes);
}

class DuplexChannel implements ByteChannel {
  readonly closed: Promise<Error | null>;
  readonly #source: NodeSource;
  readonly #sink: NodeSink;
  readonly #lifetime: NodeLifetime;

  constructor(duplex: Duplex, highWaterBytes: number) {
    this.#lifetime = new NodeLifetime(duplex);
    this.#source = new NodeSource(duplex, this.#lifetime);
    this.#sink = new NodeSink(duplex, this.#lifetime, highWaterBytes);
    this.closed = this.#lifetime.closed;
  }

  get bufferedBytes(): number {
    return this.#sink.bufferedBytes;
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

  receive(receiver: ByteReceiver): void {
    this.#source.receive(receiver);
  }

  pause(): void {
    this.#source.pause();
  }

  resume(): void {
    this.#source.resume();
  }

  abort(error: Error): void {
    this.#lifetime.abort(error);
  }
}
