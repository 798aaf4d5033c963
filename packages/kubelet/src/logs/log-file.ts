import { type FileHandle, open, stat } from 'node:fs/promises';
import { logReadBytes, logRestBytes } from '../limits.ts';
import type { LogOutput } from './log-output.ts';
import { type LogSegment, segmentsAfter } from './log-segments.ts';
import { eachBlock } from './log-tail.ts';

interface ReadBlock {
  /** What was read stands behind `logRestBytes` of room. */
  block: Buffer;
  bytesRead: number;
}

/** The file of a log that is being read, with the position in it. */
export class LogFile {
  readonly #output: LogOutput;
  #file: FileHandle;
  #position = 0;

  constructor(file: FileHandle, output: LogOutput) {
    this.#file = file;
    this.#output = output;
  }

  get handle(): FileHandle {
    return this.#file;
  }

  seek(position: number): void {
    this.#position = position;
  }

  /**
   * Reads to the present end of the file, one block ahead of whoever takes the bytes. True when there was anything to
   * read.
   */
  async drain(signal: AbortSignal): Promise<boolean> {
    let ahead: Promise<ReadBlock> | undefined;
    for (let progressed = false; ; progressed = true) {
      signal.throwIfAborted();
      if (this.#output.isDone) return progressed;
      const { block, bytesRead } = await (ahead ?? this.#read());
      if (bytesRead === 0) return progressed;
      this.#position += bytesRead;
      ahead = bytesRead === logReadBytes ? this.#read() : undefined;
      // Failing matters when it is waited for; the reader may leave before.
      ahead?.catch(() => {});
      await this.#output.take(block.subarray(0, logRestBytes + bytesRead), logRestBytes);
    }
  }

  /**
   * Goes over to the next file after a rotation, once the present one is read to its end. Files that were rotated in
   * between, because the reader is slow, are read in their order. True when there was a next file.
   */
  async goOn(path: string, signal: AbortSignal): Promise<boolean> {
    const [now, own] = await Promise.all([stat(path).catch(() => undefined), this.#file.stat()]);
    if (!now) return false;
    if (now.ino === own.ino && now.dev === own.dev) return this.#restartIfTruncated(now.size);
    await this.drain(signal);
    for (const next of await segmentsAfter(path, this.#file)) {
      if (!next.isCompressed) return this.#switchTo(next.path);
      signal.throwIfAborted();
      await readSegment(next, { output: this.#output, signal });
    }
    return this.#switchTo(path);
  }

  close(): Promise<void> {
    return this.#file.close();
  }

  /** The next block, behind room for the record that the block before it left unfinished. */
  async #read(): Promise<ReadBlock> {
    const block = Buffer.allocUnsafeSlow(logRestBytes + logReadBytes);
    const { bytesRead } = await this.#file.read(block, logRestBytes, logReadBytes, this.#position);
    return { block, bytesRead };
  }

  #restartIfTruncated(size: number): boolean {
    if (size >= this.#position) return false;
    this.#position = 0;
    this.#output.drop();
    return true;
  }

  async #switchTo(path: string): Promise<boolean> {
    const next = await open(path, 'r').catch(() => undefined);
    if (!next) return false;
    await this.#file.close();
    this.#file = next;
    this.#position = 0;
    this.#output.drop();
    return true;
  }
}

/** Reads a rotated file to its end; one that is not compressed from `offset` on, 0 unless told. */
export async function readSegment(
  segment: LogSegment,
  options: { output: LogOutput; signal: AbortSignal; offset?: number },
): Promise<void> {
  const { output, signal, offset = 0 } = options;
  if (segment.isCompressed) {
    await eachBlock(segment, async (block) => {
      if (!output.isDone) await output.take(block, 0);
    });
  } else {
    const file = new LogFile(await open(segment.path, 'r'), output);
    file.seek(offset);
    await file.drain(signal).finally(() => file.close());
  }
  output.drop();
}
