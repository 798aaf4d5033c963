import { discard } from '@wherry/bytes';
import type { Clock, Timer } from '@wherry/clock';
import type { SpdyStream } from '@wherry/spdy';
import { PortForwardError } from './errors.ts';
import type { StreamRequest } from './stream-request.ts';

/** The two streams of one forwarded connection. */
export interface StreamPair {
  requestId: string;
  port: number;
  data: SpdyStream;
  error: SpdyStream;
  wantsErrorText: boolean;
}

/** What a {@link PairTable} reports. */
export interface PairTableOptions {
  clock: Clock;
  timeoutMs: number;
  onPair(pair: StreamPair): void;
  /** A half whose other half did not come in time. It is out of the table already. */
  onLoneHalf(half: SpdyStream, request: StreamRequest): void;
}

interface Waiting {
  stream: SpdyStream;
  request: StreamRequest;
  timer: Timer;
}

/** Joins error and data streams by request id, in whichever order they come. A used id may come again. */
export class PairTable {
  readonly #options: PairTableOptions;
  readonly #waiting = new Map<string, Waiting>();

  constructor(options: PairTableOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#waiting.size;
  }

  /** Throws {@link PortForwardError} (`badStream`) when this half of a pair is there already. */
  add(stream: SpdyStream, request: StreamRequest): void {
    const { requestId, type } = request;
    const other = this.#waiting.get(requestId);
    if (!other) {
      this.#wait(stream, request);
      return;
    }
    if (other.request.type === type) {
      throw new PortForwardError(
        'badStream',
        `error processing stream for request ${requestId}: ${type} stream already assigned`,
      );
    }
    this.#forget(requestId);
    const [data, error] = type === 'data' ? [stream, other.stream] : [other.stream, stream];
    const wantsErrorText = request.wantsErrorText || other.request.wantsErrorText;
    this.#options.onPair({ requestId, port: request.port, data, error, wantsErrorText });
  }

  /** The error stream that waits under this id, if any. */
  waitingError(requestId: string): SpdyStream | undefined {
    const waiting = this.#waiting.get(requestId);
    return waiting?.request.type === 'error' ? waiting.stream : undefined;
  }

  /** Forgets everything and stops the timers. */
  clear(): void {
    for (const requestId of [...this.#waiting.keys()]) this.#forget(requestId);
  }

  #wait(stream: SpdyStream, request: StreamRequest): void {
    const timer = this.#options.clock.after(this.#options.timeoutMs, () => {
      this.#forget(request.requestId);
      this.#options.onLoneHalf(stream, request);
    });
    this.#waiting.set(request.requestId, { stream, request, timer });
    // A half that its client has reset waits for nothing, and what it brought is for nobody.
    void stream.closed.then(() => {
      if (this.#waiting.get(request.requestId)?.stream !== stream) return;
      this.#forget(request.requestId);
      if (request.type === 'data') stream.receive(discard);
    });
  }

  #forget(requestId: string): void {
    this.#waiting.get(requestId)?.timer.cancel();
    this.#waiting.delete(requestId);
  }
}
