import { closeSync, fstatSync, ftruncateSync, openSync, write } from 'node:fs';

/** A place in the log where a chunk goes. */
export interface LogPosition {
  inode: bigint;
  offset: number;
}

/**
 * The append-only log of one container. Calls run one after another. A write that fails is counted and dropped: the
 * container must not stand still for a full disk.
 */
export class LogFile {
  readonly #path: string;
  readonly #onError: (error: unknown) => void;
  #descriptor: number | null = null;
  #inode = 0n;
  #bytes = 0;
  #isFailing = false;
  #last: Promise<void> = Promise.resolve();
  /** Writes that failed so far. */
  writeErrors = 0;

  /**
   * Opens, or makes (mode 0640), the file at `path`; when that fails, {@link reopen} tries again. `onError` hears the
   * first failure of each row of them.
   */
  constructor(path: string, onError: (error: unknown) => void) {
    this.#path = path;
    this.#onError = onError;
    try {
      this.#open();
    } catch (error) {
      this.#failed(error);
    }
  }

  /** Appends records whole or not at all. `begin` runs right before, with the place where they go. Never rejects. */
  append(records: Uint8Array, begin: (position: LogPosition) => void): Promise<void> {
    return this.#next(async () => {
      if (this.#descriptor === null) {
        this.writeErrors++;
        return;
      }
      const position = { inode: this.#inode, offset: this.#bytes };
      begin(position);
      try {
        await writeWhole(this.#descriptor, records);
        this.#bytes += records.byteLength;
        this.#isFailing = false;
      } catch (error) {
        this.#cut(position.offset);
        this.#failed(error);
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
    });
  }

  /** Whether a chunk that was on its way stands in the log; what a killed write left of it is cut off. */
  settle(position: LogPosition, recordBytes: number): boolean {
    if (this.#descriptor === null || this.#inode !== position.inode) return true;
    if (this.#bytes >= position.offset + recordBytes) return true;
    this.#cut(position.offset);
    return false;
  }

  /** Behind all appends so far. */
  close(): Promise<void> {
    return this.#next(async () => {
      if (this.#descriptor !== null) closeSync(this.#descriptor);
      this.#descriptor = null;
    });
  }

  #open(): void {
    const descriptor = openSync(this.#path, 'a', 0o640);
    const { ino, size } = fstatSync(descriptor, { bigint: true });
    this.#descriptor = descriptor;
    this.#inode = ino;
    this.#bytes = Number(size);
  }

  /** Leaves no half record behind. A file that cannot be cut (a pipe, a device) keeps it. */
  #cut(offset: number): void {
    try {
      if (this.#descriptor !== null) ftruncateSync(this.#descriptor, offset);
      this.#bytes = offset;
    } catch {
      this.#bytes = Math.max(this.#bytes, offset);
    }
  }

  #failed(error: unknown): void {
    this.writeErrors++;
    if (!this.#isFailing) this.#onError(error);
    this.#isFailing = true;
  }

  #next(action: () => Promise<void>): Promise<void> {
    const done = this.#last.then(action);
    this.#last = done.catch(() => {});
    return done;
  }
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
