import type { ByteChannel, ByteReceiver, WaitOptions } from '@wherry/bytes';
import { ReplyAhead } from '@wherry/spdy';

/**
 * A client's SPDY connection whose streams are answered here, before the backend does: see `ReplyAhead`. What is read
 * from it goes to the backend, what the backend says is written to it.
 */
export function replyAhead(client: ByteChannel): ByteChannel {
  return new ReplyAheadChannel(client);
}

class ReplyAheadChannel implements ByteChannel {
  readonly closed: Promise<Error | null>;
  readonly #client: ByteChannel;
  readonly #ahead: ReplyAhead;
  #receiver: ByteReceiver | undefined;
  #hasRoom = true;

  constructor(client: ByteChannel) {
    this.#client = client;
    this.closed = client.closed;
    this.#ahead = new ReplyAhead({
      toBackend: (bytes) => this.#receiver?.data(bytes),
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
        receiver.end();
      },
      closed: (error) => receiver.closed(error),
    });
  }

  /** A reply can meet a connection that has just closed: its end says so. */
  #takeFromClient(bytes: Uint8Array): void {
    try {
      this.#ahead.fromClient(bytes);
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
