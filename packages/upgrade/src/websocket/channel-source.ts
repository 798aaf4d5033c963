import type { ByteReceiver, ByteSource } from '@wherry/bytes';
import { Inbox } from '@wherry/bytes';

/** What arrives on one channel of a {@link ChannelSocket}. */
export class ChannelSource implements ByteSource {
  readonly closed: Promise<Error | null>;
  readonly #inbox: Inbox;
  readonly #account: (bytes: number) => void;
  #discarding = false;

  constructor(closed: Promise<Error | null>, account: (bytes: number) => void) {
    this.#account = account;
    this.#inbox = new Inbox({ onReleased: (bytes) => account(-bytes) });
    this.closed = closed;
  }

  push(bytes: Uint8Array): void {
    if (this.#discarding) return;
    const before = this.#inbox.heldBytes;
    this.#inbox.push(bytes);
    const held = this.#inbox.heldBytes - before;
    if (held > 0) this.#account(held);
  }

  finish(error: Error | null): void {
    if (error === null) this.#inbox.end();
    this.#inbox.finish(error);
  }

  receive(receiver: ByteReceiver): void {
    this.#inbox.receive(receiver);
  }

  pause(): void {
    this.#inbox.pause();
  }

  resume(): void {
    this.#inbox.resume();
  }

  /** A WebSocket can't reset one channel: from here on its bytes are thrown away, and nothing else is touched. */
  abort(error: Error): void {
    this.#discarding = true;
    this.#inbox.fail(error);
  }
}
