import { closeSync, openSync } from 'node:fs';
import { SyscallError } from '../errors.ts';
import { declare, declareAsync } from '../native.ts';

const syncfs = declareAsync('int syncfs(int descriptor)');
const syncFileRange = declare(
  'int sync_file_range(int descriptor, long offset, long bytes, unsigned int flags)',
);
/** SYNC_FILE_RANGE_WRITE: begins, and does not wait. */
const beginWriting = 2;

/**
 * Makes what is written to one file system durable, for many at once: whoever asks while the disk is written to shares the
 * next turn with all others who do. One thread of libuv's pool is held at a time.
 */
export class FilesystemFlusher {
  readonly #path: string;
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  /** Of the file system that `path` lies on. */
  constructor(path: string) {
    this.#path = path;
  }

  /**
   * Resolves when all that was written before the call is on the disk (syncfs(2)). Rejects with {@link SyscallError}, or
   * with what opening the path said.
   */
  flush(): Promise<void> {
    this.#next ??= this.#turn(this.#running);
    return this.#next;
  }

  async #turn(before: Promise<void> | undefined): Promise<void> {
    // Its own callers hear of its failure. Without one, those who ask in one go still share the turn.
    await before?.catch(() => {});
    const turn = this.#write();
    this.#running = turn;
    this.#next = undefined;
    await turn;
  }

  async #write(): Promise<void> {
    const descriptor = openSync(this.#path, 'r');
    try {
      const { result, errno } = await syncfs(descriptor);
      if (result < 0) throw new SyscallError('syncfs', errno, `"${this.#path}"`);
    } finally {
      closeSync(descriptor);
    }
  }
}

/** A piece worth a call of its own. */
const pieceBytes = 1024 * 1024;

/**
 * Has the kernel write a file that grows to its disk piece by piece (sync_file_range(2)), so that little is left to wait for
 * when it must be durable. Promises nothing, and says nothing where a file system knows no such thing.
 */
export class EagerWriteback {
  readonly #descriptor: number;
  #begun = 0;

  /** Of a file that stays open as long as it is told of. */
  constructor(descriptor: number) {
    this.#descriptor = descriptor;
  }

  /** The file has been written up to `end`. */
  wroteTo(end: number): void {
    if (end - this.#begun < pieceBytes) return;
    syncFileRange(this.#descriptor, this.#begun, end - this.#begun, beginWriting);
    this.#begun = end;
  }
}
