import {
  chmodSync,
  chownSync,
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmdirSync,
  statSync,
  unlinkSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { bindMount, hasCode, mount, mountFlags, mountIdMapped, unmount } from '@wherry/linux';

/** A tree of the machine as the users of a pod see it. */
export interface StagedMount {
  source: string;
  /** The pod's user namespace: owners are mapped through it. Null: they are as the disk says. */
  userNamespacePath: string | null;
  /** What is mounted below the source later is seen there too. Default false. */
  follows?: boolean;
}

const passing = 0o711;
const passingForGroup = 0o710;

/**
 * Where the roots and volumes of containers with a user namespace are shown once more: their first process, which is none
 * of the machine's users, has to find its way to them, and nobody else may. Nothing lies in here but mount points, and
 * none is ever removed but with rmdir or as an empty file, so that a mount that stays costs nobody a file.
 */
export class Stage {
  readonly root: string;

  constructor(root: string) {
    this.root = root;
  }

  /** Makes a container's place, which the pod's root group may pass. */
  open(id: string, rootGid: number): void {
    for (const folder of [dirname(this.root), this.root])
      mkdirSync(folder, { recursive: true, mode: passing });
    const folder = join(this.root, id);
    mkdirSync(folder, { mode: passingForGroup });
    chownSync(folder, 0, rootGid);
    chmodSync(folder, passingForGroup);
  }

  /** Shows a tree there under a name; answers its path. */
  show(id: string, name: string, { source, userNamespacePath, follows }: StagedMount): string {
    const target = join(this.root, id, name);
    if (statSync(source).isDirectory()) mkdirSync(target, { mode: 0o700 });
    else closeSync(openSync(target, 'wx', 0o600));
    if (userNamespacePath === null) {
      bindMount(source, target);
      mount({ target, flags: mountFlags.private });
    } else {
      const propagation = follows ? 'slave' : 'private';
      mountIdMapped({ source, target, userNamespacePath, propagation, recursive: true });
    }
    return target;
  }

  /** Takes a container's place away. None is fine. */
  release(id: string): void {
    const folder = join(this.root, id);
    for (const name of namesIn(folder)) {
      const target = join(folder, name);
      while (unmount(target, { detach: true }));
      removePoint(target);
    }
    ignoringAbsence(() => rmdirSync(folder));
  }
}

/** Where a runtime shows containers their root, when they have users of their own. */
export const stageDirFor = (bridgeName: string): string => join('/run/wherry', bridgeName);

/** Takes away what a runtime that is gone showed its containers there; their processes must have ended. None is fine. */
export function clearStage(bridgeName: string): void {
  const stage = new Stage(stageDirFor(bridgeName));
  for (const id of namesIn(stage.root)) stage.release(id);
  ignoringAbsence(() => rmdirSync(stage.root));
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return [];
    throw error;
  }
}

/** A file that is not empty is no mount point of ours: it stays, and so does its folder. */
function removePoint(target: string): void {
  ignoringAbsence(() => {
    const { size, isFolder } = factsOf(target);
    if (isFolder) rmdirSync(target);
    else if (size === 0) unlinkSync(target);
  });
}

function factsOf(path: string): { size: number; isFolder: boolean } {
  const facts = statSync(path);
  return { size: facts.size, isFolder: facts.isDirectory() };
}

function ignoringAbsence(action: () => void): void {
  try {
    action();
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error;
  }
}
