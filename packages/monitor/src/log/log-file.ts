import { closeSync, fstatSync, ftruncateSync, write } from 'node:fs';
import type { Clock } from '@wherry/clock';
import { encodeEntry, logTimestamp } from '@wherry/cri/log';
import { openLog } from './open-log.ts';

/** A place in the log where a chunk goes. */
export interface LogPosition {
  inode: bigint;
  offset: number;
}

/** Output that did not get into a log. */
export interface LogLoss {
  /** Bytes of output, as the container wrote them. */
  bytes: number;
  /** Why the first of them were lost. */
  reason: string;
}

type BeginWrite = (position: LogPosition, bytes: number) => void;
const nothing = new Uint8Array(0);

/** What a log file works with. */
export interface LogFileOptions {
  clock: Clock;
  /** Hears the first failure of each row of them. */
  onError: (error: unknown) => void;
}

/** What is appended in one step. */
export interface LogEntries {
  entries: Uint8Array;
  /** Bytes of output that the entries stand for. */
  contentBytes: number;
}

/**
 * The append-only log of one container. Calls run one after another. A write that fails is counted and dropped: the
 * container must not stand still for a full disk. Where the log goes on, an entry says how much is missing and why.
 */
export class LogFile {
  readonly #path: string;
  readonly #clock: Clock;
  readonly #onError: (error: unknown) => void;
  #descriptor: number | null = null;
  #inode = 0n;
  #bytes = 0;
  #loss: LogLoss | null = null;
  #last: Promise<void> = Promise.resolve();
  /** Writes that failed so far. */
  writeErrors = 0;
  /** Bytes of output that were lost so far. */
  lostBytes = 0;

  /** Opens the file at `path` ({@link openLog}); when that fails, each call tries again. */
  constructor(path: string, { clock, onError }: LogFileOptions) {
    this.#path = path;
    this.#clock = clock;
    this.#onError = onError;
    try {
      this.#open();
    } catch (error) {
      this.#failed(error, 0);
    }
  }

  /**
   * Appends entries whole or not at all, behind the entry of a loss before them. `begin` runs right before, with the
   * place where they go and how many bytes that is. Never rejects.
   */
  append({ entries, contentBytes }: LogEntries, begin: BeginWrite): Promise<void> {
    return this.#next(async () => {
      try {
        const loss = this.#lossEntry();
        await this.#write(loss.byteLength > 0 ? Buffer.concat([loss, entries]) : entries, begin);
        this.#loss = null;
      } catch (error) {
        this.#failed(error, contentBytes);
      }
    });
  }

  /**
   * Goes on in a new file at the same path, behind all appends so far. Rejects when it cannot be made; the old one
   * stays in use then.
   */
  reopen(): Promise<void> {
    return this.#next(async () => {
      const old = this.#descriptor;
      this.#open();
      if (old !== null) closeSync(old);
      await this.#tellLoss().catch(() => {});
    });
  }

  /** Whether a chunk that was on its way stands in the log; what a killed write left of it is cut off. */
  settle(position: LogPosition, entryBytes: number): boolean {
    if (this.#descriptor === null || this.#inode !== position.inode) return true;
    if (this.#bytes >= position.offset + entryBytes) return true;
    this.#cut(position.offset);
    return false;
  }

  /** Behind all appends so far. */
  close(): Promise<void> {
    return this.#next(async () => {
      await this.#tellLoss().catch(() => {});
      if (this.#descriptor !== null) closeSync(this.#descriptor);
      this.#descriptor = null;
    });
  }

  #open(): number {
    const descriptor = openLog(this.#path);
    const { ino, size } = fstatSync(descriptor, { bigint: true });
    this.#descriptor = descriptor;
    this.#inode = ino;
    this.#bytes = Number(size);
    return descriptor;
  }

  /**
   * Leaves no half an entry behind. A file that cannot be cut (a pipe, a device) keeps it; one that somebody has emptied
   * meanwhile is not filled up.
   */
  #cut(offset: number): void {
    try {
      const size = this.#descriptor === null ? offset : fstatSync(this.#descriptor).size;
      if (this.#descriptor !== null && size > offset) ftruncateSync(this.#descriptor, offset);
      this.#bytes = Math.min(size, offset);
    } catch {
      this.#bytes = Math.max(this.#bytes, offset);
    }
  }

  /** Puts the entry of a loss at the end. Rejects, leaving it to be told later, when that fails too. */
  async #tellLoss(): Promise<void> {
    if (!this.#loss) return;
    await this.#write(this.#lossEntry(), () => {});
    this.#loss = null;
  }

  #lossEntry(): Uint8Array {
    return this.#loss && this.#loss.bytes > 0 ? lossEntry(this.#loss, this.#clock) : nothing;
  }

  async #write(entries: Uint8Array, begin: BeginWrite): Promise<void> {
    const descriptor = this.#descriptor ?? this.#open();
    const position = { inode: this.#inode, offset: this.#bytes };
    begin(position, entries.byteLength);
    try {
      await writeWhole(descriptor, entries);
      this.#bytes += entries.byteLength;
    } catch (error) {
      this.#cut(position.offset);
      throw error;
    }
  }

  #failed(error: unknown, contentBytes: number): void {
    this.writeErrors++;
    this.lostBytes += contentBytes;
    if (!this.#loss) this.#onError(error);
    this.#loss ??= { bytes: 0, reason: error instanceof Error ? error.message : String(error) };
    this.#loss.bytes += contentBytes;
  }

  #next(action: () => Promise<void>): Promise<void> {
    const done = this.#last.then(action);
    this.#last = done.catch(() => {});
    return done;
  }
}

/** An entry as the log has them, whose words nobody takes for the container's own. */
function lossEntry({ bytes, reason }: LogLoss, clock: Clock): Buffer {
  const words = `[wherry] ${bytes} bytes of output were lost here: ${reason.replaceAll('\n', ' ')}`;
  return encodeEntry(logTimestamp(clock.nowMs()), 'stderr', words);
}

function writeWhole(descriptor: number, bytes: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    const rest = (from: number) =>
      write(descriptor, bytes, from, bytes.byteLength - from, null, (error, written) => {
        if (error) reject(error);
        else if (from + written < bytes.byteLength) rest(from + written);
        else resolve();
      });
    rest(0);
  });
}
