import { closeSync, constants, openSync, writeSync } from 'node:fs';
import { hasCode, readableBytes, setPipeCapacity, splice, type Transferred } from '@wherry/linux';
import { readTerminal } from '../io/output-source.ts';
import { limits } from '../limits.ts';
import type { ScratchPipe } from './scratch-pipe.ts';

/**
 * A FIFO between a container's output and its log. Bytes move into it inside the kernel, are looked at without being
 * taken, and are taken once they are logged: at no time do they live only in this process's memory.
 */
export class Staging {
  readonly #descriptor: number;
  readonly #scratch: ScratchPipe;
  #canSplice = true;

  /** Opens the FIFO at `path`, which the container's keeper keeps alive too. */
  constructor(path: string, scratch: ScratchPipe) {
    this.#scratch = scratch;
    this.#descriptor = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
    setPipeCapacity(this.#descriptor, limits.outputPipeBytes);
  }

  /** Bytes inside. */
  get bytes(): number {
    return readableBytes(this.#descriptor);
  }

  /** Moves what `source` has, as far as there is room: bytes, 0 at its end, null for nothing or no room. */
  fill(source: number): Transferred {
    try {
      if (this.#canSplice) return splice(source, this.#descriptor, limits.outputPipeBytes);
    } catch (error) {
      if (hasCode(error, 'EIO')) return 0;
      if (!hasCode(error, 'EINVAL')) throw error;
      this.#canSplice = false;
    }
    return this.#copy(source);
  }

  /** Puts everything inside into `buffer`, and leaves it here. Gives back how much that is. */
  look(buffer: Buffer): number {
    return this.#scratch.look(this.#descriptor, buffer);
  }

  /** Takes away the first `bytes`. */
  discard(bytes: number): void {
    this.#scratch.discard(this.#descriptor, bytes);
  }

  close(): void {
    closeSync(this.#descriptor);
  }

  /** For terminals of kernels that cannot splice them. */
  #copy(source: number): Transferred {
    const room = limits.outputPipeBytes / 2 - this.bytes;
    if (room <= 0) return null;
    const buffer = Buffer.allocUnsafe(Math.min(room, limits.readBytes));
    const bytes = readTerminal(source, buffer);
    if (bytes) writeSync(this.#descriptor, buffer, 0, bytes);
    return bytes;
  }
}
