import { encodeDataHeader, HeaderFrameEncoder } from './frames/encode.ts';
import { SpdyError } from './frames/errors.ts';
import { frameFlag, frameType } from './frames/frame.ts';
import { type CutHandler, FrameCutter, type FrameStart } from './frames/frame-cutter.ts';
import { defaultLimits } from './limits.ts';

/** Where the bytes of a relayed session go. */
export interface ReplyAheadSinks {
  toBackend(bytes: Uint8Array): void;
  toClient(bytes: Uint8Array): void;
}

/**
 * Stands in a relay and answers the client's SYN_STREAMs itself, at once; the backend's own SYN_REPLYs are left out.
 *
 * Go's clients wait for each reply before they open the next stream or send a byte, and through several processes each
 * wait is a round trip through all of them. A reply promises nothing: a backend that does not want a stream resets it,
 * and that goes through, as everything else does. Beginnings of frames that Go writes in pieces are sent on whole.
 *
 * The replies are this side's own, so the backend may send no other header blocks: they would be packed with a history
 * that the client does not have. Kubernetes' servers send none.
 */
export class ReplyAhead {
  readonly #upward: FrameCutter;
  readonly #downward: FrameCutter;
  readonly #sinks: ReplyAheadSinks;
  readonly #encoder = new HeaderFrameEncoder(defaultLimits);
  /** Replies that wait for the end of a frame on its way to the client. */
  #waiting: Uint8Array[] = [];
  #answered = 0;

  constructor(sinks: ReplyAheadSinks) {
    this.#sinks = sinks;
    this.#upward = new FrameCutter(this.#clientFrames(), { gathersShortFrames: true });
    this.#downward = new FrameCutter(this.#backendFrames());
  }

  /** How many streams of the client were answered so far. */
  get answered(): number {
    return this.#answered;
  }

  /** Bytes that the client sent. */
  fromClient(bytes: Uint8Array): void {
    this.#upward.push(bytes);
  }

  /** The client ended its direction. */
  clientEnded(): void {
    this.#upward.end();
  }

  /** Bytes that the backend sent. Throws `SpdyError` (`protocol`) at a header block that is no reply. */
  fromBackend(bytes: Uint8Array): void {
    this.#downward.push(bytes);
  }

  /** The backend ended its direction. */
  backendEnded(): void {
    this.#downward.end();
  }

  #clientFrames(): CutHandler {
    return {
      frame: ({ controlType, flags, streamId }) => {
        if (controlType === frameType.synStream && (flags & frameFlag.unidirectional) === 0) {
          this.#reply(streamId);
        }
        return true;
      },
      pass: (bytes) => this.#sinks.toBackend(bytes),
      border: () => {},
      wantsBorder: () => false,
    };
  }

  #backendFrames(): CutHandler {
    return {
      frame: (start) => this.#backendFrame(start),
      pass: (bytes) => this.#sinks.toClient(bytes),
      border: () => this.#sendWaiting(),
      wantsBorder: () => this.#waiting.length > 0,
    };
  }

  #backendFrame({ controlType, flags, streamId }: FrameStart): boolean {
    if (controlType === frameType.synStream || controlType === frameType.headers) {
      throw new SpdyError(
        'protocol',
        `the server sent headers in a frame of type ${controlType}: only replies are relayed`,
      );
    }
    if (controlType !== frameType.synReply) return true;
    if ((flags & frameFlag.fin) !== 0) this.#waiting.push(encodeDataHeader(streamId, 0, true));
    return false;
  }

  #reply(streamId: number): void {
    this.#answered++;
    this.#waiting.push(this.#encoder.synReply({ streamId, headers: {}, fin: false }));
    if (this.#downward.isAtBorder) this.#sendWaiting();
  }

  #sendWaiting(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const frame of waiting) this.#sinks.toClient(frame);
  }
}
