import { type FileHandle, open, stat } from 'node:fs/promises';
import type { Clock } from '@wherry/clock';
import { logReadBytes } from '../limits.ts';
import { FileChanges } from './file-changes.ts';
import { LogDecoder, type LogFilter } from './log-decoder.ts';
import { tailOffset } from './log-tail.ts';

/** What of a container's log is wanted. */
export interface LogOptions extends Omit<LogFilter, 'recordsMax'> {
  /** Goes on until the container has stopped. */
  follow: boolean;
  /** Begins so many records before the end; pieces of long lines count one each. */
  tailLines?: number | undefined;
}

/** How a reader follows a log. */
export interface FollowOptions {
  clock: Clock;
  /** Asked whenever the end of the file is reached; the last bytes are read after it said no. */
  isRunning(): Promise<boolean>;
  /** Takes bytes; the reader waits for it, so that a slow client slows its own log alone. */
  write(bytes: Uint8Array): Promise<void>;
  signal: AbortSignal;
}

/**
 * Reads a container's log: what is there, then, when following, what is written until the container has stopped,
 * across rotations. Only the current file is read from the start. Rejects with `signal.reason`, or when the file can't
 * be read.
 */
export async function readContainerLog(
  path: string,
  options: LogOptions,
  follow: FollowOptions,
): Promise<void> {
  const { tailLines, follow: isFollowing } = options;
  const recordsMax = isFollowing ? undefined : tailLines;
  const decoder = new LogDecoder({ ...options, recordsMax });
  const reader = new LogFile(await open(path, 'r'), decoder, follow.write);
  try {
    if (tailLines !== undefined) await reader.skipToTail(tailLines);
    await reader.drain(follow.signal);
    if (isFollowing && !decoder.isDone) await followLog(path, reader, decoder, follow);
  } finally {
    await reader.close();
  }
}

async function followLog(
  path: string,
  reader: LogFile,
  decoder: LogDecoder,
  follow: FollowOptions,
): Promise<void> {
  const { clock, isRunning, signal } = follow;
  const changes = new FileChanges(path, clock);
  try {
    for (let isLast = false; !decoder.isDone; ) {
      const seen = changes.count;
      const progressed = await reader.drain(signal);
      if (await reader.switchIfRotated(path, signal)) continue;
      if (progressed) continue;
      if (isLast) return;
      isLast = !(await isRunning());
      if (!isLast) await changes.after(seen, signal);
    }
  } finally {
    changes.close();
  }
}

/** The file being read, with its position and the start of an unfinished record. */
class LogFile {
  readonly #decoder: LogDecoder;
  readonly #write: (bytes: Uint8Array) => Promise<void>;
  #file: FileHandle;
  #position = 0;
  #rest: Buffer = Buffer.alloc(0);

  constructor(file: FileHandle, decoder: LogDecoder, write: (bytes: Uint8Array) => Promise<void>) {
    this.#file = file;
    this.#decoder = decoder;
    this.#write = write;
  }

  async skipToTail(lines: number): Promise<void> {
    const { size } = await this.#file.stat();
    this.#position = await tailOffset(this.#file, size, lines);
  }

  /** Reads to the present end of the file. True when there was anything to read. */
  async drain(signal: AbortSignal): Promise<boolean> {
    for (let progressed = false; ; progressed = true) {
      signal.throwIfAborted();
      if (this.#decoder.isDone) return progressed;
      const restBytes = this.#rest.length;
      const block = Buffer.allocUnsafeSlow(restBytes + logReadBytes);
      this.#rest.copy(block);
      const { bytesRead } = await this.#file.read(block, restBytes, logReadBytes, this.#position);
      if (bytesRead === 0) return progressed;
      this.#position += bytesRead;
      const length = restBytes + bytesRead;
      const { output, consumed } = this.#decoder.decode(block.subarray(0, length));
      this.#rest = Buffer.from(block.subarray(consumed, length));
      if (output.length > 0) await this.#write(output);
    }
  }

  /** Goes over to a new file at `path`, after the old one was read to its end. True when there was one. */
  async switchIfRotated(path: string, signal: AbortSignal): Promise<boolean> {
    const [now, own] = await Promise.all([stat(path).catch(() => undefined), this.#file.stat()]);
    if (!now) return false;
    if (now.ino === own.ino && now.dev === own.dev) {
      if (now.size >= this.#position) return false;
      this.#position = 0;
      this.#rest = Buffer.alloc(0);
      return true;
    }
    const next = await open(path, 'r').catch(() => undefined);
    if (!next) return false;
    await this.drain(signal);
    await this.#file.close();
    this.#file = next;
    this.#position = 0;
    this.#rest = Buffer.alloc(0);
    return true;
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}
