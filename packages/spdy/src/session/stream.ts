import { type ByteReceiver, ChannelClosedError, DrainGate, Inbox, type WaitOptions } from '@wherry/bytes';
import { SpdyError } from '../frames/errors.ts';
import { resetStatus, type SpdyHeaders } from '../frames/frame.ts';
import type { SpdyStream } from './contract.ts';

/** Where a stream's frames go. */
export interface StreamOutbound {
  /** Writes DATA frames; false when the transport's queue is over its mark. */
  sendData(streamId: number, payload: Uint8Array, fin: boolean): boolean;
  sendReply(streamId: number, fin: boolean): void;
  sendReset(streamId: number, status: number): void;
  /** Bytes queued in the transport, of all streams. */
  readonly bufferedBytes: number;
  /** Releases the stream's gate once the transport has drained. */
  awaitDrain(gate: DrainGate): void;
}

/** Who keeps the books on streams. */
export interface StreamOwner {
  /** The stream let go of bytes that it had held. */
  released(stream: StreamEnd, bytes: number): void;
  /** The stream is over: frames for its id are ignored from now on. */
  forget(stream: StreamEnd): void;
}

/** How a stream begins. */
export interface StreamBeginning {
  id: number;
  headers: SpdyHeaders;
  /** True when this side sent the SYN_STREAM. */
  initiated: boolean;
  /** This side has nothing to send (our FIN, or the peer's UNIDIRECTIONAL). */
  localEnded: boolean;
  /** The peer has nothing to send (its FIN). */
  remoteEnded: boolean;
}

/** This side's end of a stream: what the caller sees of it, and what its session tells it. */
export class StreamEnd implements SpdyStream {
  readonly id: number;
  readonly headers: SpdyHeaders;
  readonly closed: Promise<Error | null>;
  /** True when this side sent the SYN_STREAM. */
  readonly initiated: boolean;
  readonly #outbound: StreamOutbound;
  readonly #owner: StreamOwner;
  readonly #inbox: Inbox;
  readonly #gate = new DrainGate();
  readonly #settle: (outcome: Error | null) => void;
  #replied = false;
  #localEnded: boolean;
  #remoteEnded: boolean;
  #gone = false;
  #receivedReset: number | undefined;

  /** Streams are made by their session. */
  constructor(
    beginning: StreamBeginning,
    { outbound, owner }: { outbound: StreamOutbound; owner: StreamOwner },
  ) {
    this.id = beginning.id;
    this.headers = beginning.headers;
    this.initiated = beginning.initiated;
    this.#localEnded = beginning.localEnded;
    this.#remoteEnded = beginning.remoteEnded;
    this.#outbound = outbound;
    this.#owner = owner;
    this.#inbox = new Inbox({ onReleased: (bytes) => owner.released(this, bytes) });
    const { promise, resolve } = Promise.withResolvers<Error | null>();
    this.closed = promise;
    this.#settle = resolve;
    if (beginning.remoteEnded) this.#inbox.end();
  }

  get receivedReset(): number | undefined {
    return this.#receivedReset;
  }

  /** True once SYN_REPLY was sent (accepting side) or received (initiating side). */
  get replied(): boolean {
    return this.#replied;
  }

  /** Bytes held for a reader that is absent or paused. */
  get heldBytes(): number {
    return this.#inbox.heldBytes;
  }

  get bufferedBytes(): number {
    return this.#gone ? 0 : this.#outbound.bufferedBytes;
  }

  reply(options: { fin?: boolean | undefined } = {}): void {
    if (this.initiated || this.#replied) {
      throw new SpdyError(
        'invalid-state',
        `stream ${this.id} can't be replied to: it was not opened by the peer, or has its reply`,
      );
    }
    this.#replied = true;
    if (this.#gone) return;
    const fin = options.fin === true && !this.#localEnded;
    this.#outbound.sendReply(this.id, fin);
    if (fin) this.#localEnded = true;
    this.#leaveIfEnded();
  }

  write(chunk: Uint8Array): boolean {
    if (this.#gone) throw new ChannelClosedError('closed', `write: stream ${this.id} is closed`);
    if (this.#localEnded)
      throw new ChannelClosedError('ended', `write: stream ${this.id} has already ended this side`);
    this.#requireReply('write');
    if (chunk.length === 0) return true;
    return this.#outbound.sendData(this.id, chunk, false);
  }

  drained(options?: WaitOptions): Promise<void> {
    if (this.#gone)
      return Promise.reject(new ChannelClosedError('closed', `drained: stream ${this.id} is closed`));
    const wait = this.#gate.wait(options);
    this.#outbound.awaitDrain(this.#gate);
    return wait;
  }

  end(): void {
    if (this.#localEnded || this.#gone) return;
    this.#requireReply('end');
    this.#localEnded = true;
    this.#outbound.sendData(this.id, new Uint8Array(0), true);
    this.#leaveIfEnded();
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

  abort(error: Error): void {
    this.#cancel(resetStatus.cancel, error);
  }

  reset(status: number = resetStatus.cancel): void {
    this.#cancel(status, new SpdyError('cancelled', `stream ${this.id} was reset by this side`, { status }));
  }

  /** Session side: bytes from the peer. Returns true when they have to be held. */
  takeData(piece: Uint8Array): boolean {
    return this.#remoteEnded ? false : this.#inbox.push(piece);
  }

  /** Session side: the peer's FIN. */
  takeFin(): void {
    if (this.#remoteEnded) return;
    this.#remoteEnded = true;
    this.#inbox.end();
    this.#leaveIfEnded();
  }

  /** Session side: the peer's SYN_REPLY. */
  takeReply(): void {
    this.#replied = true;
  }

  /** Session side: the peer's RST_STREAM. */
  takeReset(status: number): void {
    this.#receivedReset = status;
    this.finish(
      new SpdyError('reset', `stream ${this.id} was reset by the peer (status ${status})`, { status }),
    );
  }

  /** Session side: the stream is over by the peer's doing; what had arrived is still delivered. */
  finish(outcome: Error | null): void {
    if (this.#gone) return;
    this.#leave(outcome);
    this.#inbox.finish(outcome);
  }

  /** Session side: the stream is over by our doing; what had arrived is dropped. */
  fail(error: Error): void {
    if (!this.#gone) this.#leave(error);
    this.#inbox.fail(error);
  }

  #cancel(status: number, error: Error): void {
    if (!this.#gone && !this.#localEnded) this.#outbound.sendReset(this.id, status);
    this.fail(error);
  }

  #requireReply(action: string): void {
    if (this.initiated || this.#replied) return;
    throw new SpdyError(
      'invalid-state',
      `${action}: stream ${this.id} has no reply yet; call reply() or reset() first`,
    );
  }

  #leaveIfEnded(): void {
    if (this.#localEnded && this.#remoteEnded && (this.initiated || this.#replied)) this.finish(null);
  }

  #leave(outcome: Error | null): void {
    this.#gone = true;
    this.#owner.forget(this);
    this.#gate.fail(() => {
      const reason = outcome ? `: ${outcome.message}` : '';
      return new ChannelClosedError('closed', `stream ${this.id} is closed${reason}`, { cause: outcome });
    });
    this.#settle(outcome);
  }
}
