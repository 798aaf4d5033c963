import type { ByteReceiver } from '../channel.ts';
import { Inbox } from '../inbox.ts';

/** The reading half of a channel that holds what comes in an {@link Inbox}; how it is aborted is its own. */
export abstract class InboxSource {
  protected readonly inbox = new Inbox({ onReleased: (bytes) => this.released(bytes) });

  /** See `ByteSource.receive`. */
  receive(receiver: ByteReceiver): void {
    this.inbox.receive(receiver);
  }

  pause(): void {
    this.inbox.pause();
  }

  resume(): void {
    this.inbox.resume();
  }

  /** Held bytes were handed to the receiver or dropped. */
  protected abstract released(bytes: number): void;
}
