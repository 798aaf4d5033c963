import type { WaitOptions } from '@wherry/bytes';

/** What a {@link MessageSocket} tells the one who reads it: messages, then `closed` once. */
export interface MessageReceiver {
  /** One whole message; fragments are joined. The receiver may keep the array. */
  message(data: Uint8Array, isBinary: boolean): void;
  /**
   * Nothing comes after this. null: the peer closed in order, or we had closed and the peer took everything.
   * A {@link WebSocketClosedError}: any other end.
   */
  closed(error: Error | null): void;
}

/** A WebSocket as messages, with back-pressure both ways. Pings, pongs and dead peers are taken care of. */
export interface MessageSocket {
  /** The chosen sub-protocol; '' when there is none. */
  readonly protocol: string;
  /** Attaches the one reader, once; a second call throws. Nothing is read from the peer before. */
  receive(receiver: MessageReceiver): void;
  /**
   * Sends one binary message as one unfragmented frame: `prefix` (a few bytes) and then `payload`, which is not
   * copied: do not change it afterwards. False means: wait for {@link drained}. Ignored once closing.
   */
  sendBinary(payload: Uint8Array | readonly Uint8Array[], prefix?: Uint8Array): boolean;
  /** Sends one text message. */
  sendText(text: string): boolean;
  /** Resolves when the queue has drained; rejects when the socket closes first. */
  drained(options?: WaitOptions): Promise<void>;
  /** Bytes queued and not yet given to the kernel. */
  readonly bufferedBytes: number;
  /**
   * Stops reading; what one read had brought may still come. While paused, the peer's own deadline is kept alive by
   * unasked pongs, and its silence does not count against it.
   */
  pause(): void;
  resume(): void;
  /**
   * Sends a close frame behind what is queued and waits for the peer to take it; messages that still come are
   * delivered. Default code 1000. Repeats are harmless.
   */
  close(code?: number): void;
  /** Cuts the connection now. */
  abort(error: Error): void;
  /** Settles (never rejects) with what `closed` of the receiver says. */
  readonly closed: Promise<Error | null>;
}

/**
 * Whether a WebSocket that ended with this code was closed in order: by a close frame with code 1000, or with none
 * (1005), as what `close()` without arguments sends in browsers, in Node and in npm's ws.
 */
export const isClosedInOrder = (closeCode: number): boolean => closeCode === 1000 || closeCode === 1005;

/** A WebSocket that ended other than in order: see {@link isClosedInOrder}. */
export class WebSocketClosedError extends Error {
  override readonly name = 'WebSocketClosedError';
  /** Close code of RFC 6455, section 7.4; 1006 when the connection ended without a close frame. */
  readonly closeCode: number;

  constructor(closeCode: number, reason: string, options?: ErrorOptions) {
    const text =
      closeCode === 1006
        ? 'the WebSocket connection ended without a close frame'
        : `the peer closed the WebSocket with code ${closeCode}`;
    super(reason === '' ? text : `${text}: ${reason}`, options);
    this.closeCode = closeCode;
  }
}
