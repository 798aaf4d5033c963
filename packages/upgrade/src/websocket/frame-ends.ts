import { opcodes } from './message-frame.ts';

/** Finds where WebSocket frames begin and end in a stream of bytes (RFC 6455, section 5.2), whatever pieces they come in. */
export class FrameEnds {
  /** The head of a frame as far as it has come. */
  #head: number[] = [];
  /** Bytes of the frame's payload that are to come. */
  #leftBytes = 0;
  #hasClose = false;

  /** Whether a close frame has begun. */
  get hasClose(): boolean {
    return this.#hasClose;
  }

  /** The next bytes in two parts, of which the second begins with the last frame that is whole in them; in one where none is. */
  beforeLast(bytes: Uint8Array): Uint8Array[] {
    let lastStart = 0;
    /** Of the frame that goes on at `at`; undefined where it began before these bytes. */
    let start = this.#leftBytes === 0 && this.#head.length === 0 ? 0 : undefined;
    let at = 0;
    while (at < bytes.length) {
      if (this.#leftBytes > 0) {
        const passed = Math.min(this.#leftBytes, bytes.length - at);
        this.#leftBytes -= passed;
        at += passed;
      } else {
        this.#takeHead(bytes[at] ?? 0);
        at += 1;
      }
      if (this.#leftBytes > 0 || this.#head.length > 0) continue;
      lastStart = start ?? lastStart;
      start = at;
    }
    return lastStart === 0 ? [bytes] : [bytes.subarray(0, lastStart), bytes.subarray(lastStart)];
  }

  #takeHead(byte: number): void {
    this.#head.push(byte);
    const [first = 0, second] = this.#head;
    if (second === undefined) return;
    this.#hasClose ||= (first & 0x0f) === opcodes.close;
    const short = second & 0x7f;
    const lengthBytes = short === 127 ? 8 : short === 126 ? 2 : 0;
    const maskBytes = second & 0x80 ? 4 : 0;
    if (this.#head.length < 2 + lengthBytes + maskBytes) return;
    const length = this.#head.slice(2, 2 + lengthBytes);
    this.#leftBytes = lengthBytes === 0 ? short : length.reduce((sum, part) => sum * 256 + part, 0);
    this.#head = [];
  }
}
