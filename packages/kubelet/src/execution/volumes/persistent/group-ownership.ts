import { chmodSync, lchownSync, type Stats } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { hasCode, OpenFolder } from '@wherry/linux';
import { volumeDepthMax } from '../../../limits.ts';

const fileBits = 0o660;
const folderBits = 0o2770;
/** Files between two turns of the event loop. */
const filesPerTurn = 200;

/** How a volume is given to a group. */
export interface GroupOptions {
  gid: number;
  /** fsGroupChangePolicy `OnRootMismatch`: when the volume's own folder is the group's already, so is all in it. */
  onlyOnMismatch: boolean;
  signal: AbortSignal;
  /** Files that were looked at so far, while it goes on. */
  progress?: { files: number };
}

/**
 * Gives a volume and all that is in it to a group that may read and write it, as an fsGroup asks (upstream:
 * VolumeOwnership). Links are given away and not followed, and what is mounted inside is left alone. Rejects with
 * `signal.reason`.
 */
export async function giveToGroup(
  path: string,
  { gid, onlyOnMismatch, signal, progress = { files: 0 } }: GroupOptions,
): Promise<void> {
  using root = OpenFolder.at(path);
  const own = root.stat('.');
  const isGiven = own?.gid === gid && (own.mode & folderBits) === folderBits;
  if (onlyOnMismatch && isGiven) return;
  const walk = { gid, signal, device: own?.dev ?? 0, progress };
  await giveContent(root, walk, 1);
  // The volume's folder is the last: it says that all else is done.
  lchownSync(root.itself, -1, gid);
  if (own) chmodSync(root.itself, modeOf(own));
}

interface Walk {
  gid: number;
  signal: AbortSignal;
  device: number;
  progress: { files: number };
}

async function giveContent(folder: OpenFolder, walk: Walk, depth: number): Promise<void> {
  if (depth > volumeDepthMax) throw new Error(`the volume is more than ${volumeDepthMax} folders deep`);
  for (const name of folder.names()) {
    walk.progress.files += 1;
    if (walk.progress.files % filesPerTurn === 0) await nextTurn();
    walk.signal.throwIfAborted();
    const stats = folder.stat(name, { links: 'refused' });
    if (!stats || stats.dev !== walk.device) continue;
    try {
      if (stats.isDirectory()) {
        using inner = folder.folder(name, { links: 'refused', sameMount: true });
        await giveContent(inner, walk, depth + 1);
      }
      lchownSync(folder.entry(name), -1, walk.gid);
      if (!stats.isSymbolicLink()) folder.setMode(name, modeOf(stats));
    } catch (error) {
      // Somebody who uses the volume took it away, or put something else there.
      if (!hasCode(error, 'ENOENT', 'ENOTDIR', 'ELOOP')) throw error;
    }
  }
}

const modeOf = (stats: Stats) => (stats.mode & 0o7777) | (stats.isDirectory() ? folderBits : fileBits);
