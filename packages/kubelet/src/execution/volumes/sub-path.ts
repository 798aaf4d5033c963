import { closeSync, fstatSync, lstatSync, mkdirSync, rmdirSync, unlinkSync, writeFileSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { dirname, isAbsolute, relative } from 'node:path';
import {
  bindMount,
  descriptorPath,
  hasCode,
  mount,
  mountFlags,
  OpenFolder,
  pathOnlyFlag,
  unmount,
} from '@wherry/linux';

/** A part of a volume to be mounted alone. */
export interface SubPathRequest {
  volumeDir: string;
  /** Path inside the volume, see {@link checkSubPath}; made as a folder when it does not exist. */
  subPath: string;
  /** Where the part is pinned until the pod is gone. */
  target: string;
  /** Mounts made inside the part by the container are to appear in the volume. */
  isShared: boolean;
}

/** Throws, in upstream's words, on a path that can't be a part of a volume. Names that begin with ".." are fine. */
export function checkSubPath(subPath: string): void {
  if (isAbsolute(subPath)) throw new Error(`error SubPath \`${subPath}\` must not be an absolute path`);
  if (subPath.split('/').includes('..'))
    throw new Error(`unable to provision SubPath \`${subPath}\`: must not contain '..'`);
}

/**
 * Pins a part of a volume at `target` and returns that path. The part is found, or made, by descriptors step by step and
 * mounted through the last of them, so a container that changes the volume meanwhile can't lead it elsewhere. Links are
 * followed inside the volume only. Throws when the path leads out of the volume, or can't be made.
 */
export async function bindSubPath({ volumeDir, subPath, target, isShared }: SubPathRequest): Promise<string> {
  using volume = OpenFolder.at(volumeDir);
  const part = await openPart(volume, volumeDir, subPath);
  try {
    makeMountPoint(target, fstatSync(part).isDirectory());
    bindMount(descriptorPath(part), target);
    // What is unmounted below this copy, as when the pod goes, must stay mounted where it is.
    if (!isShared) mount({ target, flags: mountFlags.slave });
    return target;
  } finally {
    closeSync(part);
  }
}

/** A descriptor of the part, which only names it: opening could block (a FIFO) or wake a device. */
async function openPart(volume: OpenFolder, volumeDir: string, subPath: string): Promise<number> {
  try {
    return volume.open(subPath, { flags: pathOnlyFlag, links: 'beneath' });
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return makePart(volume, subPath);
    if (hasCode(error, 'EXDEV')) return openByRealPath(volume, volumeDir, subPath);
    throw error;
  }
}

/** Missing folders get the volume's mode, so that an fsGroup may write there, and its group by the set-group-ID bit. */
function makePart(volume: OpenFolder, subPath: string): number {
  const mode = fstatSync(volume.descriptor).mode & 0o7777;
  return volume.makeFolders(subPath, { mode, links: 'beneath' }).descriptor;
}

/** Absolute links that point into the volume, as a hostPath may hold; no link is followed any more when it is opened. */
async function openByRealPath(volume: OpenFolder, volumeDir: string, subPath: string): Promise<number> {
  const [root, part] = await Promise.all([realpath(volumeDir), realpath(`${volumeDir}/${subPath}`)]);
  const inside = relative(root, part);
  if (inside.split('/')[0] === '..' || isAbsolute(inside)) throw new Error('it leads out of its volume');
  return volume.open(inside || '.', { flags: pathOnlyFlag, links: 'refused' });
}

/** An empty place of the right kind; what an earlier instance of the container had there is let go. */
function makeMountPoint(target: string, isDirectory: boolean): void {
  while (unmount(target, { detach: true }));
  const before = lstatSync(target, { throwIfNoEntry: false });
  if (before && before.isDirectory() !== isDirectory) (before.isDirectory() ? rmdirSync : unlinkSync)(target);
  mkdirSync(isDirectory ? target : dirname(target), { recursive: true, mode: 0o750 });
  if (!isDirectory) writeFileSync(target, '', { flag: 'a', mode: 0o640 });
}
