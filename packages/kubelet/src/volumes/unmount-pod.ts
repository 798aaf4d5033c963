import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseMountInfo, unmount } from '@wherry/linux';

/**
 * Unmounts everything below a pod's folder. First what a kubelet mounts there itself, which needs no look at the mount
 * table; then what the table still shows, the deepest first. Throws when something can't be unmounted.
 */
export async function unmountPod(folder: string): Promise<void> {
  const own = [
    ...(await foldersBelow(join(folder, 'volumes'), 2)),
    ...(await foldersBelow(join(folder, 'volume-subpaths'), 3)),
  ];
  for (const path of own) unmount(path, { detach: true });
  const table = await mountTable.read();
  if (!table.includes(folder)) return;
  const below = parseMountInfo(table).flatMap(({ mountPoint }) =>
    mountPoint === folder || mountPoint.startsWith(`${folder}/`) ? [mountPoint] : [],
  );
  for (const path of below.sort((a, b) => b.length - a.length)) unmount(path, { detach: true });
}

async function foldersBelow(folder: string, depth: number): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  const paths = names.map((name) => join(folder, name));
  if (depth === 1) return paths;
  return (await Promise.all(paths.map((path) => foldersBelow(path, depth - 1)))).flat();
}

/**
 * The mount table, read off the main thread. On a full node it takes the kernel milliseconds to write, so everybody who
 * asks while a read is under way shares the next one: what they get is never older than their question.
 */
class MountTable {
  #current: Promise<string> | undefined;
  #next: Promise<string> | undefined;

  read(): Promise<string> {
    if (!this.#current) return this.#begin();
    this.#next ??= this.#current.then(
      () => this.#begin(),
      () => this.#begin(),
    );
    return this.#next;
  }

  #begin(): Promise<string> {
    this.#next = undefined;
    const reading = readFile('/proc/self/mountinfo', 'utf8').finally(() => {
      if (this.#current === reading) this.#current = undefined;
    });
    this.#current = reading;
    return reading;
  }
}

const mountTable = new MountTable();
