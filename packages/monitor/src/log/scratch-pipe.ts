import { closeSync, openSync } from 'node:fs';
import { closeDescriptor, openPipe, type Pipe, readNow, setPipeCapacity, splice, tee } from '@wherry/linux';
import { limits } from '../limits.ts';

/** One pipe for all streams of a monitor, to look at content through; empty between two calls. Made when it is needed. */
export class ScratchPipe {
  #pipe: Pipe | null = null;
  #nowhere: number | null = null;

  /** Copies what is in the FIFO `source` into `buffer`, and leaves it there. Gives back how much that is. */
  look(source: number, buffer: Buffer): number {
    const pipe = this.#open();
    const copied = tee(source, pipe.writeDescriptor, buffer.byteLength) ?? 0;
    let read = 0;
    while (read < copied) read += readNow(pipe.readDescriptor, buffer.subarray(read, copied)) ?? 0;
    return read;
  }

  /** Takes the first `bytes` out of the FIFO `source`. */
  discard(source: number, bytes: number): void {
    this.#nowhere ??= openSync('/dev/null', 'w');
    for (let left = bytes; left > 0; ) left -= splice(source, this.#nowhere, left) ?? left;
  }

  close(): void {
    if (this.#pipe) for (const descriptor of Object.values(this.#pipe)) closeDescriptor(descriptor);
    if (this.#nowhere !== null) closeSync(this.#nowhere);
    this.#pipe = null;
    this.#nowhere = null;
  }

  #open(): Pipe {
    if (this.#pipe) return this.#pipe;
    this.#pipe = openPipe({ nonBlocking: true });
    setPipeCapacity(this.#pipe.writeDescriptor, limits.outputPipeBytes);
    return this.#pipe;
  }
}
