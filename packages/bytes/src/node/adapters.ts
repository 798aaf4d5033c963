import type { Duplex, Readable, Writable } from 'node:stream';
import type { ByteChannel, ByteSink, ByteSource } from '../channel.ts';
import { SplitChannel } from '../halves/split-channel.ts';
import { defaultHighWaterBytes } from '../limits.ts';
import { NodeLifetime, NodeSink, NodeSource } from './ends.ts';

/** Options of the adapters that write into a Node stream. */
export interface NodeAdapterOptions {
  /** Bytes queued from which on `write` returns false. Default 256 KiB. */
  highWaterBytes?: number | undefined;
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

class DuplexChannel extends SplitChannel {
  readonly closed: Promise<Error | null>;
  readonly #lifetime: NodeLifetime;

  constructor(duplex: Duplex, highWaterBytes: number) {
    const lifetime = new NodeLifetime(duplex);
    super(new NodeSource(duplex, lifetime), new NodeSink(duplex, lifetime, highWaterBytes));
    this.#lifetime = lifetime;
    this.closed = lifetime.closed;
  }

  abort(error: Error): void {
    this.#lifetime.abort(error);
  }
}
