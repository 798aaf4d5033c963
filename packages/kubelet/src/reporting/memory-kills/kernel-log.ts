import { closeSync, constants, openSync, readSync } from 'node:fs';

/** The kernel's own log, from the moment at which it is opened. */
export class KernelLog implements Disposable {
  readonly #file: number;
  /** A record is read whole or not at all; the kernel cuts them below this. */
  readonly #buffer = Buffer.alloc(16_384);

  /** Throws where it may not be read. */
  constructor(path = '/dev/kmsg') {
    this.#file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    while (this.next() !== undefined);
  }

  /** The next record, undefined where there is none yet. Throws what the kernel says. */
  next(): string | undefined {
    for (;;) {
      try {
        const bytes = readSync(this.#file, this.#buffer);
        return bytes === 0 ? undefined : this.#buffer.toString('utf8', 0, bytes);
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        if (code === 'EAGAIN') return undefined;
        // Records were overwritten before they were read: the next read goes on behind them.
        if (code !== 'EPIPE') throw error;
      }
    }
  }

  [Symbol.dispose](): void {
    closeSync(this.#file);
  }
}
