import { type FileHandle, mkdir, open, realpath, stat, writeFile } from 'node:fs/promises';
import { dirname, isAbsolute, join, normalize, relative } from 'node:path';
import { bindMount, unmount } from '@wherry/linux';

/** open(2) O_PATH: a descriptor of the file itself, without opening it. */
const openAsPath = 0o10000000;

/** A part of a volume to be mounted alone. */
export interface SubPathRequest {
  volumeDir: string;
  /** Relative path inside the volume; made as a folder when it does not exist. */
  subPath: string;
  /** Where the part is pinned until the pod is gone. */
  target: string;
}

/**
 * Pins a part of a volume at `target` and returns that path. What a container changes in the volume between check and
 * mount has no effect: the file is opened once, checked by its real path, and mounted through its descriptor.
 * Throws when the path leaves the volume.
 */
export async function bindSubPath({ volumeDir, subPath, target }: SubPathRequest): Promise<string> {
  const inside = normalize(subPath);
  if (isAbsolute(subPath) || inside.split('/').includes('..')) {
    throw new Error(`subPath "${subPath}" must be a relative path inside its volume`);
  }
  const root = await realpath(volumeDir);
  const handle = await openInside(root, inside);
  try {
    const opened = `/proc/self/fd/${handle.fd}`;
    const real = await realpath(opened);
    const away = relative(root, real);
    if (away.startsWith('..') || isAbsolute(away))
      throw new Error(`subPath "${subPath}" leads out of its volume`);
    await makeMountPoint(target, (await handle.stat()).isDirectory());
    unmount(target, { detach: true });
    bindMount(opened, target, { recursive: true });
    return target;
  } finally {
    await handle.close();
  }
}

async function openInside(root: string, inside: string): Promise<FileHandle> {
  const path = join(root, inside);
  const nearest = await nearestExisting(path, root);
  const real = await realpath(nearest);
  const away = relative(root, real);
  if (away.startsWith('..') || isAbsolute(away))
    throw new Error(`subPath "${inside}" leads out of its volume`);
  if (nearest !== path) await mkdir(path, { recursive: true, mode: (await stat(root)).mode & 0o7777 });
  return open(path, openAsPath);
}

async function nearestExisting(path: string, root: string): Promise<string> {
  for (let current = path; current.length > root.length; current = dirname(current)) {
    const exists = await stat(current).then(
      () => true,
      () => false,
    );
    if (exists) return current;
  }
  return root;
}

async function makeMountPoint(target: string, isDirectory: boolean): Promise<void> {
  if (isDirectory) await mkdir(target, { recursive: true });
  else {
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, '', { flag: 'a' });
  }
}
