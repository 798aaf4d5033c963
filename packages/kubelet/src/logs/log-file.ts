import { type FileHandle, open, stat } from 'node:fs/promises';
import { logReadBytes } from '../limits.ts';
import type { LogOutput } from './log-output.ts';
import { type LogSegment, segmentsAfter } from './log-segments.ts';
import { eachBlock } from './log-tail.ts';

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

  /** Reads to the present end of the file. True when there was anything to read. */
  async drain(signal: AbortSignal): Promise<boolean> {
    for (let progressed = false; ; progressed = true) {
      signal.throwIfAborted();
      if (this.#output.isDone) return progressed;
      const { restBytes } = this.#output;
      const block = Buffer.allocUnsafeSlow(restBytes + logReadBytes);
      const { bytesRead } = await this.#file.read(block, restBytes, logReadBytes, this.#position);
      if (bytesRead === 0) return progressed;
      this.#position += bytesRead;
      this.#output.fillRest(block);
      await this.#output.take(block.subarray(0, restBytes + bytesRead));
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
      await readSegment(next, this.#output);
    }
    return this.#switchTo(path);
  }

  close(): Promise<void> {
    return this.#file.close();
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

/** Reads a rotated file from its start to its end. */
export async function readSegment(segment: LogSegment, output: LogOutput): Promise<void> {
  await eachBlock(segment, async (block) => {
    if (output.isDone) return;
    const whole = Buffer.allocUnsafeSlow(output.restBytes + block.length);
    output.fillRest(whole);
    block.copy(whole, output.restBytes);
    await output.take(whole);
  });
  output.drop();
}
