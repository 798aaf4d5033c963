import { createHash } from 'node:crypto';
import { existsSync, statfsSync } from 'node:fs';
import { makePrivateFolder } from '@wherry/linux';
import { limits } from '../limits.ts';

/**
 * Where the OCI runtime's files of exec calls go: what it has started, and its log. A disk that has no room for them keeps
 * nobody from looking into a container: then they go to a folder in memory.
 */
export class ExecFolders {
  readonly #own: string;
  readonly #spare: string;

  /** `own` must be there; `spare` is made when it is needed. */
  constructor(own: string, spare: string) {
    this.#own = own;
    this.#spare = spare;
  }

  /** The folder for the next call. */
  get forNext(): string {
    const { bfree, bsize } = statfsSync(this.#own);
    if (bfree * bsize >= limits.execRoomBytes) return this.#own;
    makePrivateFolder(this.#spare);
    return this.#spare;
  }

  /** Those in which there may be files of earlier monitors. */
  get all(): string[] {
    return [this.#own, ...(existsSync(this.#spare) ? [this.#spare] : [])];
  }
}

/** The folder in memory that belongs to a folder of a monitor. */
export const spareFolderOf = (own: string): string => `${shortName(own)}-exec`;

/** A short path below /run for something in a monitor's folder, the same each time. */
export const shortName = (path: string): string =>
  `/run/wherry-${createHash('sha256').update(path).digest('hex').slice(0, 12)}`;
