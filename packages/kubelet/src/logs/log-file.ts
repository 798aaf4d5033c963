import type { FileHandle } from 'node:fs/promises';
import { hasCode } from '@wherry/linux';
import { logReadBytes, logRestBytes } from '../limits.ts';
import type { LogFolder } from './log-folder.ts';
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
  readonly #folder: LogFolder;
  readonly #output: LogOutput;
  #file: FileHandle;
  #position = 0;

  constructor(folder: LogFolder, file: FileHandle, output: LogOutput) {
    this.#folder = folder;
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
  async goOn(name: string, signal: AbortSignal): Promise<boolean> {
    const own = await this.#file.stat();
    const now = this.#folder.stat(name);
    if (!now) return false;
    if (now.ino === own.ino && now.dev === own.dev) return this.#restartIfTruncated(now.size);
    await this.drain(signal);
    for (const next of await segmentsAfter(this.#folder, name, this.#file)) {
      if (!next.isCompressed) return this.#switchTo(next.name);
      signal.throwIfAborted();
      await readSegment(this.#folder, next, { output: this.#output, signal });
    }
    return this.#switchTo(name);
  }

  close(): Promise<void> {
    return this.#file.close();
  }

  /** The next block, behind room for the entry that the block before it left unfinished. */
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

  /** False when the file has gone. */
  async #switchTo(name: string): Promise<boolean> {
    const next = await this.#folder.open(name).catch((error: unknown) => {
      if (!hasCode(error, 'ENOENT')) throw error;
      return undefined;
    });
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
  folder: LogFolder,
  segment: LogSegment,
  options: { output: LogOutput; signal: AbortSignal; offset?: number },
): Promise<void> {
  const { output, signal, offset = 0 } = options;
  if (segment.isCompressed) {
    await eachBlock(folder, segment, async (block) => {
      if (!output.isDone) await output.take(block, 0);
    });
  } else {
    const file = new LogFile(folder, await folder.open(segment.name), output);
    file.seek(offset);
    await file.drain(signal).finally(() => file.close());
  }
  output.drop();
}
