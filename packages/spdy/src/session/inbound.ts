import {
  type FrameHandler,
  type HeaderFrame,
  resetStatus,
  type SynStream,
  streamIdMax,
} from '../frames/frame.ts';
import type { SpdyStream } from './contract.ts';
import type { Creations } from './creations.ts';
import type { Outbound } from './outbound.ts';
import type { Pings } from './pings.ts';
import type { StreamTable } from './stream-table.ts';

/** Options of {@link Inbound}. */
export interface InboundOptions {
  /** 1 when the peer's ids are odd, 0 when they are even. */
  peerParity: 0 | 1;
  streamsMax: number;
  streams: StreamTable;
  creations: Creations;
  pings: Pings;
  outbound: Outbound;
  onStream: ((stream: SpdyStream) => void) | undefined;
  onGoAway(status: number): void;
  /** The peer sent a ping of its own. */
  onPing(): void;
}

/** The receiving half of a session: what each frame of the peer does. */
export class Inbound implements FrameHandler {
  readonly #options: InboundOptions;
  #lastStreamId = 0;

  constructor(options: InboundOptions) {
    this.#options = options;
  }

  /** Highest id that the peer has opened, 0 for none; for GOAWAY. */
  get lastStreamId(): number {
    return this.#lastStreamId;
  }

  synStream({ streamId, headers, fin, unidirectional }: SynStream): void {
    const { streams, outbound, onStream, peerParity, streamsMax } = this.#options;
    if (streamId > streamIdMax || streamId <= this.#lastStreamId || streamId % 2 !== peerParity) {
      outbound.answerReset(streamId, resetStatus.protocolError);
      return;
    }
    this.#lastStreamId = streamId;
    if (!onStream || streams.size >= streamsMax) {
      outbound.answerReset(streamId, resetStatus.refusedStream);
      return;
    }
    const stream = streams.open({
      id: streamId,
      headers,
      initiated: false,
      localEnded: unidirectional,
      remoteEnded: fin,
    });
    announce(stream, onStream);
  }

  synReply({ streamId, fin }: HeaderFrame): void {
    const stream = this.#options.streams.get(streamId);
    if (!stream?.initiated || stream.replied) return;
    stream.takeReply();
    this.#options.creations.replied(streamId);
    if (fin) stream.takeFin();
  }

  /** Kubernetes peers never send HEADERS; what it says is dropped, its FIN counts. */
  headers({ streamId, fin }: HeaderFrame): void {
    if (fin) this.#options.streams.get(streamId)?.takeFin();
  }

  rstStream(streamId: number, status: number): void {
    this.#options.streams.get(streamId)?.takeReset(status);
  }

  /** A ping of ours comes back, or the peer wants its own back. Never answered twice: that crashes Go peers. */
  ping(id: number): void {
    const { pings, outbound } = this.#options;
    if (pings.isOwn(id)) pings.answered(id);
    else {
      outbound.answerPing(id);
      this.#options.onPing();
    }
  }

  goAway(_lastGoodStreamId: number, status: number): void {
    this.#options.onGoAway(status);
  }

  data(streamId: number, piece: Uint8Array, fin: boolean): void {
    const { streams } = this.#options;
    const stream = streams.get(streamId);
    if (!stream) return;
    if (stream.takeData(piece)) streams.held(stream, piece.length);
    if (fin) stream.takeFin();
  }
}

function announce(stream: SpdyStream, onStream: (stream: SpdyStream) => void): void {
  try {
    onStream(stream);
  } catch {
    stream.reset(resetStatus.internalError);
  }
}
