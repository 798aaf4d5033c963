import { constants, openSync } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import type { Clock } from '@wherry/clock';
import { hasCode, OpenFolder } from '@wherry/linux';
import { limits } from '../limits.ts';
import { SingleFlight } from '../state/single-flight.ts';

/** What a folder takes on disk. */
export interface FolderUsage {
  bytes: number;
  inodes: number;
  /** When it was measured, milliseconds since the epoch. */
  measuredAtMs: number;
}

const blockBytes = 512;

/** Sizes of writable layers: measured in the background, answered from memory. */
export class LayerUsage {
  readonly #clock: Clock;
  readonly #known = new Map<string, FolderUsage>();
  readonly #measuring = new SingleFlight<FolderUsage>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * The size of a folder as measured last. The first time it is measured at once; an old figure is answered while a
   * new one is taken behind the caller's back, so that a large layer delays nobody.
   */
  async usage(folder: string): Promise<FolderUsage> {
    const known = this.#known.get(folder);
    const isFresh = known !== undefined && this.#clock.nowMs() - known.measuredAtMs < limits.layerUsageAgeMs;
    if (isFresh) return known;
    const measuring = this.#measuring.run(folder, () => this.#measure(folder));
    if (known === undefined) return measuring;
    // A folder that vanished meanwhile is forgotten with its container.
    measuring.catch(() => {});
    return known;
  }

  /** Forgets a folder that is gone. */
  forget(folder: string): void {
    this.#known.delete(folder);
  }

  async #measure(folder: string): Promise<FolderUsage> {
    const sum = { bytes: 0, inodes: 0 };
    using open = OpenFolder.at(folder);
    await addFolder(open, sum, 1);
    const usage = { ...sum, measuredAtMs: this.#clock.nowMs() };
    this.#known.set(folder, usage);
    return usage;
  }
}

const folderOnly = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/**
 * Adds what lies in a folder that its container writes to meanwhile: each folder is opened in the one before, so that
 * none that becomes a link leads out, and names may be any bytes. What goes meanwhile is left out.
 */
async function addFolder(
  folder: OpenFolder,
  sum: { bytes: number; inodes: number },
  depth: number,
): Promise<void> {
  for (const name of await readdir(folder.path, { encoding: 'buffer' })) {
    const path = Buffer.concat([Buffer.from(`${folder.path}/`), name]);
    try {
      const status = await lstat(path);
      sum.inodes++;
      sum.bytes += status.blocks * blockBytes;
      if (!status.isDirectory() || depth === limits.layerUsageDepthMax) continue;
      using below = new OpenFolder(openSync(path, folderOnly));
      await addFolder(below, sum, depth + 1);
    } catch (error) {
      if (!hasCode(error, 'ENOENT', 'ENOTDIR', 'ELOOP')) throw error;
    }
  }
}
