/** Finds where WebSocket frames end in a stream of bytes (RFC 6455, section 5.2), whatever pieces they come in. */
export class FrameEnds {
  /** The head of a frame as far as it has come. */
  #head: number[] = [];
  /** Bytes of the frame's payload that are to come. */
  #leftBytes = 0;

  /**
   * The next bytes in parts: each ends where a frame does, or where the bytes do. After `partsMax` parts the rest is one.
   */
  split(bytes: Uint8Array, partsMax: number): Uint8Array[] {
    const parts: Uint8Array[] = [];
    let start = 0;
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
      const isEnd = this.#leftBytes === 0 && this.#head.length === 0;
      if (!isEnd || parts.length >= partsMax - 1) continue;
      parts.push(bytes.subarray(start, at));
      start = at;
    }
    if (start < bytes.length) parts.push(bytes.subarray(start));
    return parts;
  }

  #takeHead(byte: number): void {
    this.#head.push(byte);
    const [, second] = this.#head;
    if (second === undefined) return;
    const short = second & 0x7f;
    const lengthBytes = short === 127 ? 8 : short === 126 ? 2 : 0;
    const maskBytes = second & 0x80 ? 4 : 0;
    if (this.#head.length < 2 + lengthBytes + maskBytes) return;
    const length = this.#head.slice(2, 2 + lengthBytes);
    this.#leftBytes = lengthBytes === 0 ? short : length.reduce((sum, part) => sum * 256 + part, 0);
    this.#head = [];
  }
}
