import type { ByteChannel, ByteReceiver, WaitOptions } from '@wherry/bytes';
import { SpdyError, type SpdyStream } from '@wherry/spdy';
import { PortForwardError } from './errors.ts';
import { errorBytesMax } from './limits.ts';

/**
 * A connection through the session: the bytes of its data stream, and the verdict of its error stream. It is over when
 * the server has said its last on both; what this side still wanted to send is given up then.
 */
export class ForwardedConnection implements ByteChannel {
  readonly closed: Promise<Error | null>;
  readonly #data: SpdyStream;
  readonly #error: SpdyStream;
  readonly #settle: (error: Error | null) => void;
  #receiver: ByteReceiver | undefined;
  /** How the server's data ended: null for a FIN. */
  #dataEnd: Error | null | undefined;
  /** What the error stream said; '' when it ended silently. */
  #verdict: string | undefined;
  #outcome: Error | null | undefined;
  /** The data stream is over: what it still holds is for a reader, who may come late. */
  #isDataGone = false;
  /** The reader has all of it. */
  #isDelivered = false;
  #isTold = false;

  constructor(data: SpdyStream, error: SpdyStream) {
    this.#data = data;
    this.#error = error;
    const { promise, resolve } = Promise.withResolvers<Error | null>();
    this.closed = promise;
    this.#settle = resolve;
    this.#readVerdict();
    data.closed.then((outcome) => {
      this.#isDataGone = true;
      if (!this.#receiver) this.#dataEnded(outcome);
    });
  }

  get bufferedBytes(): number {
    return this.#data.bufferedBytes;
  }

  write(chunk: Uint8Array): boolean {
    return this.#data.write(chunk);
  }

  drained(options?: WaitOptions): Promise<void> {
    return this.#data.drained(options);
  }

  end(): void {
    this.#data.end();
  }

  receive(receiver: ByteReceiver): void {
    this.#data.receive({
      data: (chunk) => receiver.data(chunk),
      end: () => {
        receiver.end();
        this.#dataEnded(null);
      },
      closed: (error) => {
        this.#isDelivered = true;
        this.#dataEnded(error);
        this.#tell();
      },
    });
    this.#receiver = receiver;
  }

  pause(): void {
    this.#data.pause();
  }

  resume(): void {
    this.#data.resume();
  }

  abort(error: Error): void {
    this.#data.abort(error);
    if (this.#outcome !== undefined) return;
    this.#error.abort(error);
    this.#finish(error);
  }

  #readVerdict(): void {
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    const finish = () => {
      if (this.#verdict !== undefined) return;
      this.#verdict = Buffer.concat(chunks).toString();
      this.#check();
    };
    this.#error.receive({
      data(chunk) {
        bytes += chunk.length;
        if (bytes <= errorBytesMax) chunks.push(chunk);
      },
      end: finish,
      closed: finish,
    });
  }

  #dataEnded(error: Error | null): void {
    if (this.#dataEnd !== undefined) return;
    this.#dataEnd = error;
    this.#check();
  }

  #check(): void {
    if (this.#dataEnd === undefined || this.#verdict === undefined) return;
    if (this.#verdict !== '') this.#finish(new PortForwardError('remote', this.#verdict));
    else this.#finish(this.#dataEnd && describe(this.#dataEnd));
    if (!this.#isDataGone)
      this.#data.abort(new PortForwardError('remote', 'the other side has ended the connection'));
  }

  #finish(outcome: Error | null): void {
    if (this.#outcome !== undefined) return;
    this.#outcome = outcome;
    this.#settle(outcome);
    // Of a stream that is over the reader has what it holds first.
    if (this.#isDelivered || !this.#isDataGone) this.#tell();
  }

  #tell(): void {
    if (this.#isTold || this.#outcome === undefined) return;
    this.#isTold = true;
    this.#receiver?.closed(this.#outcome);
  }
}

/** A reset of this stream is the pod's doing; anything else is the session's. */
function describe(error: Error): PortForwardError {
  if (error instanceof SpdyError && error.code === 'reset') {
    return new PortForwardError('remote', 'the connection was reset by the other side', { cause: error });
  }
  return new PortForwardError('sessionClosed', `the port-forward session is gone: ${error.message}`, {
    cause: error,
  });
}
