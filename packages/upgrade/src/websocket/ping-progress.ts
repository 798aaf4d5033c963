/**
 * How far the peer has read, told by its pongs: a ping is answered when everything sent before it was taken. A peer
 * that takes no input can't answer pings behind it, so its silence says nothing.
 */
export class PingProgress {
  #sentBytes = 0;
  #takenBytes = 0;
  /** Bytes sent before the oldest ping that waits for its answer. */
  #mark: number | undefined;

  /** Bytes that no answered ping stands behind. */
  get unconfirmedBytes(): number {
    return this.#sentBytes - this.#takenBytes;
  }

  sent(bytes: number): void {
    this.#sentBytes += bytes;
  }

  pinged(): void {
    this.#mark ??= this.#sentBytes;
  }

  answered(): void {
    this.#takenBytes = this.#mark ?? this.#takenBytes;
    this.#mark = undefined;
  }
}
