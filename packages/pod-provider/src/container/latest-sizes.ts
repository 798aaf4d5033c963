import type { TerminalSize } from '@wherry/remotecommand';

/** Sizes of a terminal as they come: who reads late gets the latest alone. One reads them. */
export class LatestSizes implements AsyncIterable<TerminalSize> {
  #latest: TerminalSize | undefined;
  #isOver = false;
  #changed = Promise.withResolvers<void>();

  push(size: TerminalSize): void {
    this.#latest = size;
    this.#changed.resolve();
  }

  end(): void {
    this.#isOver = true;
    this.#changed.resolve();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<TerminalSize> {
    for (;;) {
      const size = this.#latest;
      this.#latest = undefined;
      if (size) yield size;
      else if (this.#isOver) return;
      else {
        await this.#changed.promise;
        this.#changed = Promise.withResolvers();
      }
    }
  }
}
