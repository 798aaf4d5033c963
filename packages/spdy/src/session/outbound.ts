import type { ByteChannel, DrainGate } from '@wherry/bytes';
import {
  encodeData,
  encodeDataHeader,
  encodeGoAway,
  encodePing,
  encodeRstStream,
  HeaderFrameEncoder,
} from '../frames/encode.ts';
import type { SpdyLimits } from '../limits.ts';
import type { PauseReasons } from './receive-budget.ts';
import type { StreamOutbound } from './stream.ts';

/** Options of {@link Outbound}. */
export interface OutboundOptions {
  transport: ByteChannel;
  limits: SpdyLimits;
  /** False when a relay before the peer answers its streams. */
  sendsReplies: boolean;
  /** Stops reading while answers pile up. */
  pauses: PauseReasons;
  /** Called for each frame that is written. */
  onFrame(): void;
  /** Called with the length of what a stream sends. */
  onData(bytes: number): void;
}

/** The sending half of a session: frames in their order onto the transport. */
export class Outbound implements StreamOutbound {
  readonly #transport: ByteChannel;
  readonly #limits: SpdyLimits;
  readonly #sendsReplies: boolean;
  readonly #pauses: PauseReasons;
  readonly #onFrame: () => void;
  readonly #onData: (bytes: number) => void;
  readonly #encoder: HeaderFrameEncoder;
  readonly #gates = new Set<DrainGate>();
  #answerBytes = 0;
  #stopped = false;

  constructor({ transport, limits, sendsReplies, pauses, onFrame, onData }: OutboundOptions) {
    this.#transport = transport;
    this.#limits = limits;
    this.#sendsReplies = sendsReplies;
    this.#pauses = pauses;
    this.#onFrame = onFrame;
    this.#onData = onData;
    this.#encoder = new HeaderFrameEncoder(limits);
  }

  get bufferedBytes(): number {
    return this.#transport.bufferedBytes;
  }

  /** No frame leaves from here on. */
  stop(): void {
    this.#stopped = true;
  }

  sendStream(streamId: number, headers: Readonly<Record<string, string>>, fin: boolean): void {
    this.#send(this.#encoder.synStream({ streamId, headers, fin }));
  }

  sendReply(streamId: number, fin: boolean): void {
    if (this.#sendsReplies) this.#send(this.#encoder.synReply({ streamId, headers: {}, fin }));
    else if (fin) this.#send(encodeData(streamId, new Uint8Array(0), true));
  }

  sendReset(streamId: number, status: number): void {
    this.#send(encodeRstStream(streamId, status));
  }

  sendPing(id: number): void {
    this.#send(encodePing(id));
  }

  sendGoAway(lastGoodStreamId: number, status: number): void {
    this.#send(encodeGoAway(lastGoodStreamId, status));
  }

  /** The header and the payload of a long frame are two writes; the transport gathers them, nothing is copied. */
  sendData(streamId: number, payload: Uint8Array, fin: boolean): boolean {
    const { coalesceBytesMax, dataPayloadBytesMax } = this.#limits;
    this.#onData(payload.length);
    if (payload.length <= coalesceBytesMax) return this.#send(encodeData(streamId, payload, fin));
    let hasRoom = true;
    for (let offset = 0; offset < payload.length; offset += dataPayloadBytesMax) {
      const end = Math.min(payload.length, offset + dataPayloadBytesMax);
      this.#send(encodeDataHeader(streamId, end - offset, fin && end === payload.length));
      hasRoom = this.#send(payload.subarray(offset, end));
    }
    return hasRoom;
  }

  /** The peer's ping, sent back. */
  answerPing(id: number): void {
    this.#answer(encodePing(id));
  }

  /** Refuses a stream that the peer opened. */
  answerReset(streamId: number, status: number): void {
    this.#answer(encodeRstStream(streamId, status));
  }

  /** Releases the gate once the transport's queue has fallen. All who wait go on together, so none is favoured. */
  awaitDrain(gate: DrainGate): void {
    this.#gates.add(gate);
    if (this.#gates.size > 1) return;
    this.#transport.drained().then(
      () => {
        const gates = [...this.#gates];
        this.#gates.clear();
        for (const waiting of gates) waiting.release();
      },
      () => this.#gates.clear(), // the transport is gone: the streams' own end refuses those who wait
    );
  }

  /** A frame of the peer's causing: when they pile up, the peer is not read until they are gone. */
  #answer(frame: Uint8Array): void {
    if (this.#transport.bufferedBytes === 0) this.#answerBytes = 0;
    this.#answerBytes += frame.length;
    this.#send(frame);
    if (this.#answerBytes <= this.#limits.answerBytesMax) return;
    this.#answerBytes = 0;
    this.#pauses.set('answers', true);
    const goOn = () => this.#pauses.set('answers', false);
    this.#transport.drained().then(goOn, goOn);
  }

  #send(bytes: Uint8Array): boolean {
    if (this.#stopped) return true;
    this.#onFrame();
    try {
      return this.#transport.write(bytes);
    } catch {
      // The transport is gone; it says so by `closed`, which ends the session and every stream with the reason.
      this.#stopped = true;
      return true;
    }
  }
}
