import { close, fdatasync, openSync } from 'node:fs';

/**
 * Flushes a SQLite write-ahead log from a thread of the pool, so that a slow disk does not stop the event loop. A
 * descriptor of our own is safe there: SQLite keeps its locks on the database file, never on the log.
 */
export class DiskFlush {
  readonly #path: string;
  #descriptor: number | undefined;

  /** `databasePath` is the database's own; its log stands beside it. */
  constructor(databasePath: string) {
    this.#path = `${databasePath}-wal`;
  }

  /** Resolves when everything written to the log so far is on the disk. Call it after the first commit. */
  flush(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#descriptor ??= openSync(this.#path, 'r+');
      fdatasync(this.#descriptor, (error) => (error ? reject(error) : resolve()));
    });
  }

  close(): void {
    if (this.#descriptor !== undefined) close(this.#descriptor);
    this.#descriptor = undefined;
  }
}
