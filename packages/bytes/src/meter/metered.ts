import type { ByteChannel, ByteReceiver, ByteSink, ByteSource, WaitOptions } from '../channel.ts';
import { SplitChannel } from '../halves/split-channel.ts';

/** Who is told of the bytes that pass one way. */
export interface PassingMeter {
  /** So many bytes passed. */
  passed(length: number): void;
  /** They are not taken any more, or are again; each `true` is followed by one `false`. */
  waits(isWaiting: boolean): void;
}

/** The same source, whose bytes are counted; it waits while its reader has paused it. */
export function meterSource(source: ByteSource, meter: PassingMeter): ByteSource {
  return new MeteredSource(source, meter);
}

/** The same sink, whose bytes are counted; they wait from a full `write` until it has drained. */
export function meterSink(sink: ByteSink, meter: PassingMeter): ByteSink {
  return new MeteredSink(sink, meter);
}

/** The same channel, counted both ways: what comes out of it by `read`, what goes into it by `written`. */
export function meterChannel(
  channel: ByteChannel,
  meters: { read: PassingMeter; written: PassingMeter },
): ByteChannel {
  return new MeteredChannel(channel, meters);
}

/** Says once that something waits, and once that it does so no more. */
class Waiting {
  readonly #meter: PassingMeter;
  #isWaiting = false;

  constructor(meter: PassingMeter) {
    this.#meter = meter;
  }

  set(isWaiting: boolean): void {
    if (this.#isWaiting === isWaiting) return;
    this.#isWaiting = isWaiting;
    this.#meter.waits(isWaiting);
  }
}

class MeteredSource implements ByteSource {
  readonly closed: Promise<Error | null>;
  readonly #source: ByteSource;
  readonly #meter: PassingMeter;
  readonly #waiting: Waiting;

  constructor(source: ByteSource, meter: PassingMeter) {
    this.#source = source;
    this.#meter = meter;
    this.#waiting = new Waiting(meter);
    this.closed = source.closed;
    this.closed.then(() => this.#waiting.set(false));
  }

  receive(receiver: ByteReceiver): void {
    const meter = this.#meter;
    this.#source.receive({
      data(chunk) {
        meter.passed(chunk.length);
        receiver.data(chunk);
      },
      end: () => receiver.end(),
      closed: (error) => receiver.closed(error),
    });
  }

  pause(): void {
    this.#waiting.set(true);
    this.#source.pause();
  }

  resume(): void {
    this.#waiting.set(false);
    this.#source.resume();
  }

  abort(error: Error): void {
    this.#source.abort(error);
  }
}

class MeteredSink implements ByteSink {
  readonly closed: Promise<Error | null>;
  readonly #sink: ByteSink;
  readonly #meter: PassingMeter;
  readonly #waiting: Waiting;
  /** One for all times that it has drained. */
  readonly #flows = () => this.#waiting.set(false);

  constructor(sink: ByteSink, meter: PassingMeter) {
    this.#sink = sink;
    this.#meter = meter;
    this.#waiting = new Waiting(meter);
    this.closed = sink.closed;
    this.closed.then(() => this.#waiting.set(false));
  }

  get bufferedBytes(): number {
    return this.#sink.bufferedBytes;
  }

  write(chunk: Uint8Array): boolean {
    const hasRoom = this.#sink.write(chunk);
    this.#meter.passed(chunk.length);
    this.#waiting.set(!hasRoom);
    return hasRoom;
  }

  drained(options?: WaitOptions): Promise<void> {
    return this.#sink.drained(options).then(this.#flows);
  }

  end(): void {
    this.#sink.end();
  }

  abort(error: Error): void {
    this.#sink.abort(error);
  }
}

class MeteredChannel extends SplitChannel {
  readonly closed: Promise<Error | null>;
  readonly #channel: ByteChannel;

  constructor(channel: ByteChannel, { read, written }: { read: PassingMeter; written: PassingMeter }) {
    super(new MeteredSource(channel, read), new MeteredSink(channel, written));
    this.#channel = channel;
    this.closed = channel.closed;
  }

  abort(error: Error): void {
    this.#channel.abort(error);
  }
}
