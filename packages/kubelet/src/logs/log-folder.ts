import { closeSync, constants, fstatSync, lstatSync, renameSync, type Stats } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname, relative } from 'node:path';
import { descriptorPath, hasCode, OpenFolder, pathOnlyFlag } from '@wherry/linux';

/** A log file that is not read: it is a link, lies behind one, or is no file. */
export class LogFileError extends Error {
  readonly code = 'log-file-refused';

  constructor(path: string) {
    super(`log file "${path}" is not read: it, or a folder on the way to it, is a link or no regular file`);
    this.name = 'LogFileError';
  }
}

/**
 * The folder of one container's log files, held by its descriptor. Pods can get at log folders by hostPath volumes (log
 * collectors do), so of `<logs>/<pod>/<container>/<file>` no part below `<logs>` may be a link, and files are opened by
 * name inside this very folder. Close it, or declare it with `using`.
 */
export class LogFolder implements Disposable {
  /** Path as it was given, for messages and for watching. */
  readonly path: string;
  readonly #folder: OpenFolder;

  private constructor(path: string, folder: OpenFolder) {
    this.path = path;
    this.#folder = folder;
  }

  /** Opens the folder of the log file at `path`. Throws ENOENT, {@link LogFileError}. */
  static of(path: string): LogFolder {
    const folder = dirname(path);
    const logs = dirname(dirname(folder));
    try {
      using root = OpenFolder.at(logs);
      return new LogFolder(folder, root.folder(relative(logs, folder) || '.', { links: 'refused' }));
    } catch (error) {
      throw refusal(error, path);
    }
  }

  /** Opens a file to be read. Rejects with ENOENT, {@link LogFileError}. */
  async open(name: string): Promise<FileHandle> {
    const descriptor = this.#descriptorOf(name);
    try {
      return await open(descriptorPath(descriptor), 'r');
    } finally {
      closeSync(descriptor);
    }
  }

  /** Makes a file that was not there. Rejects with EEXIST. */
  create(name: string, mode: number): Promise<FileHandle> {
    return open(this.#folder.entry(name), 'wx', mode);
  }

  names(): string[] {
    return this.#folder.names();
  }

  /** Of a link, the link itself; undefined when nothing has the name. */
  stat(name: string): Stats | undefined {
    return lstatSync(this.#folder.entry(name), { throwIfNoEntry: false });
  }

  /** Puts a file in place of another. */
  rename(from: string, to: string): void {
    renameSync(this.#folder.entry(from), this.#folder.entry(to));
  }

  /** Removes what has the name; nothing there is fine. */
  remove(name: string): void {
    this.#folder.remove(name);
  }

  [Symbol.dispose](): void {
    this.#folder.close();
  }

  /** Only names the file: opening a FIFO would wait. */
  #descriptorOf(name: string): number {
    const path = `${this.path}/${name}`;
    try {
      const flags = pathOnlyFlag | constants.O_NOFOLLOW;
      const descriptor = this.#folder.open(name, { flags, links: 'refused' });
      if (fstatSync(descriptor).isFile()) return descriptor;
      closeSync(descriptor);
    } catch (error) {
      throw refusal(error, path);
    }
    throw new LogFileError(path);
  }
}

/** Makes the folder at `path` below `logsDir`. Throws {@link LogFileError} where a link stands in the way. */
export function makeLogFolder(logsDir: string, path: string): void {
  try {
    using logs = OpenFolder.at(logsDir);
    logs.makeFolders(relative(logsDir, path), { links: 'refused' }).close();
  } catch (error) {
    throw refusal(error, path);
  }
}

function refusal(error: unknown, path: string): unknown {
  return hasCode(error, 'ELOOP', 'EXDEV') ? new LogFileError(path) : error;
}
