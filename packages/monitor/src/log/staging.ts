import { closeSync, constants, openSync, writeSync } from 'node:fs';
import {
  hasCode,
  openPipe,
  type Pipe,
  readableBytes,
  readNow,
  setPipeCapacity,
  splice,
  type Transferred,
  tee,
} from '@wherry/linux';
import { readTerminal } from '../io/output-source.ts';
import { limits } from '../limits.ts';

let scratch: Pipe | null = null;
let nowhere = -1;

/** One pipe, for all streams, to look at content through; empty between two calls. */
function scratchPipe(): Pipe {
  if (!scratch) {
    scratch = openPipe({ nonBlocking: true });
    setPipeCapacity(scratch.writeDescriptor, limits.outputPipeBytes);
    nowhere = openSync('/dev/null', 'w');
  }
  return scratch;
}

/**
 * A FIFO between a container's output and its log. Bytes move into it inside the kernel, are looked at without being
 * taken, and are taken once they are logged: at no time do they live only in this process's memory.
 */
export class Staging {
  readonly #descriptor: number;
  #canSplice = true;

  /** Opens the FIFO at `path`, which the container's keeper keeps alive too. */
  constructor(path: string) {
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
    const pipe = scratchPipe();
    const copied = tee(this.#descriptor, pipe.writeDescriptor, buffer.byteLength);
    let read = 0;
    while (read < (copied ?? 0))
      read += readNow(pipe.readDescriptor, buffer.subarray(read, copied ?? 0)) ?? 0;
    return read;
  }

  /** Takes away the first `bytes`. */
  discard(bytes: number): void {
    scratchPipe();
    for (let left = bytes; left > 0; ) left -= splice(this.#descriptor, nowhere, left) ?? left;
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
