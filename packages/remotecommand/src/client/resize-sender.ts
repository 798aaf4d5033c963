import type { ByteSink } from '@wherry/bytes';
import type { TerminalSize } from '../session.ts';
import { encodeTerminalSize, isTerminalSize } from '../terminal-sizes.ts';

/** Sends terminal sizes; while the connection is full only the latest one waits. */
export class ResizeSender {
  readonly #sink: ByteSink;
  #waiting = false;
  #latest: TerminalSize | undefined;

  constructor(sink: ByteSink) {
    this.#sink = sink;
  }

  /** What is no size is not sent: Go servers read none that comes behind one that they cannot read. */
  send(size: TerminalSize): void {
    if (!isTerminalSize(size)) return;
    this.#latest = size;
    if (!this.#waiting) this.#flush();
  }

  #flush(): void {
    const size = this.#latest;
    if (!size) return;
    this.#latest = undefined;
    try {
      if (this.#sink.write(encodeTerminalSize(size))) return;
    } catch {
      return; // The session is over: nobody has a terminal any more.
    }
    this.#waiting = true;
    this.#sink.drained().then(
      () => {
        this.#waiting = false;
        this.#flush();
      },
      () => {},
    );
  }
}
