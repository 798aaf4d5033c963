import type { ByteChannel, ByteReceiver, WaitOptions } from '@wherry/bytes';
import type { Clock } from '@wherry/clock';
import { ReplyAhead } from '@wherry/spdy';
import { HalfPair } from './half-pair.ts';

/** How {@link replyAhead} answers. */
export interface ReplyAheadOptions {
  /** Streams come in pairs (port-forward: error and data): each pair goes to the backend together. Default false. */
  inPairs?: boolean | undefined;
  clock?: Clock | undefined;
}

/**
 * A client's SPDY connection whose streams are answered here, before the backend does: see `ReplyAhead`. What is read
 * from it goes to the backend, what the backend says is written to it.
 */
export function replyAhead(client: ByteChannel, options: ReplyAheadOptions = {}): ByteChannel {
  return new ReplyAheadChannel(client, options);
}

class ReplyAheadChannel implements ByteChannel {
  readonly closed: Promise<Error | null>;
  readonly #client: ByteChannel;
  readonly #ahead: ReplyAhead;
  readonly #halfPair: HalfPair | undefined;
  #receiver: ByteReceiver | undefined;
  #hasRoom = true;

  constructor(client: ByteChannel, { inPairs = false, clock }: ReplyAheadOptions) {
    this.#client = client;
    this.closed = client.closed;
    const send = (bytes: Uint8Array) => this.#receiver?.data(bytes);
    const halfPair = inPairs ? new HalfPair({ send, clock }) : undefined;
    this.#halfPair = halfPair;
    this.#ahead = new ReplyAhead({
      toBackend: halfPair ? (bytes) => halfPair.push(bytes) : send,
      toClient: (bytes) => {
        this.#hasRoom = client.write(bytes);
      },
    });
  }

  get bufferedBytes(): number {
    return this.#client.bufferedBytes;
  }

  receive(receiver: ByteReceiver): void {
    this.#receiver = receiver;
    this.#client.receive({
      data: (bytes) => this.#takeFromClient(bytes),
      end: () => {
        this.#ahead.clientEnded();
        this.#halfPair?.flush();
        receiver.end();
      },
      closed: (error) => {
        this.#halfPair?.flush();
        receiver.closed(error);
      },
    });
  }

  /** A reply can meet a connection that has just closed: its end says so. */
  #takeFromClient(bytes: Uint8Array): void {
    try {
      this.#ahead.fromClient(bytes);
      this.#halfPair?.settle(this.#ahead.answered % 2 === 1);
    } catch (error) {
      this.#client.abort(error as Error);
    }
  }

  pause(): void {
    this.#client.pause();
  }

  resume(): void {
    this.#client.resume();
  }

  write(chunk: Uint8Array): boolean {
    this.#hasRoom = true;
    this.#ahead.fromBackend(chunk);
    return this.#hasRoom;
  }

  drained(options?: WaitOptions): Promise<void> {
    return this.#client.drained(options);
  }

  end(): void {
    this.#ahead.backendEnded();
    this.#client.end();
  }

  abort(error: Error): void {
    this.#client.abort(error);
  }
}
