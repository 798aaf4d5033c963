import { closeSync, constants, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, dirname, relative } from 'node:path';
import {
  descriptorPath,
  hasCode,
  mount,
  mountFlags,
  OpenFolder,
  parseMountInfo,
  pathOnlyFlag,
  unmount,
} from '@wherry/linux';

/** Where a kubelet mounts in a pod's folder itself, and how deep. */
const ownMounts: [folder: string, depth: number][] = [
  ['volumes', 2],
  ['volume-subpaths', 3],
];

/**
 * Unmounts everything below a pod's folder. First what a kubelet mounts there itself, which needs no look at the mount
 * table; then what the table still shows, the deepest first. No link is followed on the way, and where the mounts came
 * from, what is mounted there stays. What is below the folders of `left` is not touched. Throws when something can't be
 * unmounted.
 */
export async function unmountPod(folder: string, left: readonly string[] = []): Promise<void> {
  let pod: OpenFolder;
  try {
    pod = OpenFolder.at(folder);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return;
    throw error;
  }
  using root = pod;
  for (const [name, depth] of ownMounts) for (const path of namesBelow(root, name, depth)) detach(root, path);
  const table = await mountTable.read();
  if (!table.includes(folder)) return;
  const below = parseMountInfo(table).flatMap(({ mountPoint }) =>
    mountPoint.startsWith(`${folder}/`) && !left.some((kept) => mountPoint.startsWith(`${kept}/`))
      ? [relative(folder, mountPoint)]
      : [],
  );
  for (const path of below.sort((a, b) => b.length - a.length)) detach(root, path);
}

/** Paths at `depth` below `path`, all made by a kubelet. */
function namesBelow(root: OpenFolder, path: string, depth: number): string[] {
  const paths = namesIn(root, path).map((name) => `${path}/${name}`);
  return depth === 1 ? paths : paths.flatMap((below) => namesBelow(root, below, depth - 1));
}

function namesIn(root: OpenFolder, path: string): string[] {
  try {
    using folder = root.folder(path, { links: 'refused' });
    return readdirSync(folder.path);
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return [];
    throw error;
  }
}

/**
 * Takes away what is mounted at `path`, if anything. It is made private before: else what is unmounted with it would go
 * from the node's own folders as well, by propagation.
 */
export function detach(root: OpenFolder, path: string): void {
  try {
    using parent = root.folder(dirname(path), { links: 'refused' });
    do makePrivate(parent, basename(path));
    while (unmount(parent.entry(basename(path)), { detach: true }));
  } catch (error) {
    if (!hasCode(error, 'ENOENT', 'ENOTDIR')) throw error;
  }
}

function makePrivate(parent: OpenFolder, name: string): void {
  const flags = pathOnlyFlag | constants.O_NOFOLLOW;
  const descriptor = parent.open(name, { flags, links: 'refused' });
  try {
    mount({ target: descriptorPath(descriptor), flags: mountFlags.private | mountFlags.recursive });
  } catch (error) {
    if (!hasCode(error, 'EINVAL')) throw error;
  } finally {
    closeSync(descriptor);
  }
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
