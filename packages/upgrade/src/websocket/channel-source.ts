import { type ByteSource, InboxSource } from '@wherry/bytes';

/** What arrives on one channel of a {@link ChannelSocket}. */
export class ChannelSource extends InboxSource implements ByteSource {
  readonly closed: Promise<Error | null>;
  readonly #account: (bytes: number) => void;
  #discarding = false;

  constructor(closed: Promise<Error | null>, account: (bytes: number) => void) {
    super();
    this.#account = account;
    this.closed = closed;
  }

  push(bytes: Uint8Array): void {
    if (this.#discarding) return;
    const before = this.inbox.heldBytes;
    this.inbox.push(bytes);
    const held = this.inbox.heldBytes - before;
    if (held > 0) this.#account(held);
  }

  finish(error: Error | null): void {
    if (error === null) this.inbox.end();
    this.inbox.finish(error);
  }

  /** A WebSocket can't reset one channel: from here on its bytes are thrown away, and nothing else is touched. */
  abort(error: Error): void {
    this.#discarding = true;
    this.inbox.fail(error);
  }

  protected released(bytes: number): void {
    this.#account(-bytes);
  }
}
