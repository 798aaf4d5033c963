import type { ByteChannel, WaitOptions } from '@wherry/bytes';
import { ChannelClosedError, InboxSource } from '@wherry/bytes';
import { heldBytesMax, highWaterBytes, tunnelMessageBytesMax } from '../limits.ts';
import type { MessageSocket } from './message-socket.ts';

/** What stands in front of the SPDY sub-protocol in the name of a tunnelling WebSocket sub-protocol. */
export const tunnelPrefix = 'SPDY/3.1+';

/**
 * One byte stream (SPDY) carried by the binary messages of a WebSocket. Message borders mean nothing; a text message
 * breaks the channel; a close frame with code 1000, or with none, is the end of the stream. A WebSocket has no half-close: `end`
 * sends the close frame, and reading goes on until the peer answers it; after the peer's close frame
 * this side has to `end` too, and what it writes till then is thrown away.
 */
export function spdyOverWebSocket(socket: MessageSocket): ByteChannel {
  return new TunnelChannel(socket);
}

class TunnelChannel extends InboxSource implements ByteChannel {
  readonly closed: Promise<Error | null>;
  readonly #socket: MessageSocket;
  readonly #settle: (outcome: Error | null) => void;
  #gathered: Uint8Array[] = [];
  #gatheredBytes = 0;
  /** This side has ended. */
  #ended = false;
  /** The WebSocket is closed: nothing written goes anywhere. */
  #socketClosed = false;
  #gone = false;

  constructor(socket: MessageSocket) {
    super();
    this.#socket = socket;
    const { promise, resolve } = Promise.withResolvers<Error | null>();
    this.closed = promise;
    this.#settle = resolve;
    socket.receive({
      message: (data, isBinary) => this.#take(data, isBinary),
      closed: (error) => this.#socketEnded(error),
    });
  }

  get bufferedBytes(): number {
    return this.#gatheredBytes + this.#socket.bufferedBytes;
  }

  /** Gathers a tick's writes into one message: a SPDY frame may come in several pieces. */
  write(chunk: Uint8Array): boolean {
    if (this.#ended)
      throw new ChannelClosedError('ended', 'write: this side of the tunnel has already ended');
    if (this.#gone) throw new ChannelClosedError('closed', 'write: the tunnel is closed');
    if (this.#socketClosed) return true;
    if (this.#gathered.length === 0) setImmediate(this.#flush);
    this.#gathered.push(chunk);
    this.#gatheredBytes += chunk.length;
    if (this.#gatheredBytes >= tunnelMessageBytesMax) this.#flush();
    return this.bufferedBytes < highWaterBytes;
  }

  async drained(options?: WaitOptions): Promise<void> {
    this.#flush();
    try {
      await this.#socket.drained(options);
    } catch (error) {
      if (this.#gone || !this.#socketClosed) throw error;
    }
  }

  end(): void {
    if (this.#ended || this.#gone) return;
    this.#ended = true;
    this.#flush();
    if (this.#socketClosed) this.#finish(null);
    else this.#socket.close();
  }

  abort(error: Error): void {
    if (this.#socketClosed && !this.#gone) this.#finish(error);
    else this.#socket.abort(error);
  }

  protected released(): void {
    if (this.inbox.heldBytes < heldBytesMax / 2) this.#socket.resume();
  }

  readonly #flush = (): void => {
    if (this.#gathered.length === 0) return;
    const gathered = this.#gathered;
    this.#gathered = [];
    this.#gatheredBytes = 0;
    this.#socket.sendBinary(gathered);
  };

  #take(data: Uint8Array, isBinary: boolean): void {
    if (!isBinary) {
      this.#socket.abort(new Error('invalid message type received: the tunnel carries binary messages only'));
      return;
    }
    this.inbox.push(data);
    if (this.inbox.heldBytes >= heldBytesMax) this.#socket.pause();
  }

  /** The peer is done in both directions. This side may not be: what it still writes is thrown away. */
  #socketEnded(error: Error | null): void {
    this.#socketClosed = true;
    if (error) {
      this.#finish(error);
      return;
    }
    this.inbox.end();
    if (this.#ended) this.#finish(null);
  }

  #finish(outcome: Error | null): void {
    this.#gone = true;
    this.inbox.finish(outcome);
    this.#settle(outcome);
  }
}
