import { mkdirSync, readdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { hasCode } from '../errors.ts';
import { signalById } from '../process/process.ts';
import { readGroupFile } from './files.ts';
import type { CgroupFolders } from './layout.ts';

const signalKill = 9;

/** Each folder of a group once: one for each tree that it stands in. */
export function foldersOf(folders: CgroupFolders): string[] {
  const all = [...new Set(folders.controllers.values())];
  return folders.unified === null ? all : [...all, folders.unified];
}

/** Makes the group in every tree and, on pure v2, passes the parents' controllers down to it. Existing is fine. */
export function createGroup(folders: CgroupFolders): void {
  for (const folder of foldersOf(folders)) mkdirSync(folder, { recursive: true });
  if (folders.controllers.size === 0 && folders.unified !== null)
    delegateControllers(dirname(folders.unified));
  const cpuset = folders.controllers.get('cpuset');
  if (cpuset !== undefined) inheritCpuset(cpuset);
}

/** A v2 group offers a controller only when each group above it has passed it on. */
function delegateControllers(folder: string): void {
  const available = readGroupFile(join(folder, 'cgroup.controllers'));
  if (available === null) return;
  delegateControllers(dirname(folder));
  for (const controller of (readGroupFile(join(folder, 'cgroup.controllers')) ?? '').trim().split(' ')) {
    if (controller !== '') writeQuietly(join(folder, 'cgroup.subtree_control'), `+${controller}`);
  }
}

/** A controller that cannot be passed on (processes in the way, or used by v1) is missing below, and nothing else. */
function writeQuietly(path: string, text: string): void {
  try {
    writeFileSync(path, text);
  } catch (error) {
    if (!hasCode(error, 'EBUSY', 'ENOENT', 'ENOTSUP', 'EOPNOTSUPP', 'EINVAL')) throw error;
  }
}

/** A new v1 cpuset has no CPUs and takes no process before it is given some. */
function inheritCpuset(folder: string): void {
  const parent = dirname(folder);
  for (const file of ['cpuset.cpus', 'cpuset.mems']) {
    const own = readGroupFile(join(folder, file));
    if (own === null || own.trim() !== '') continue;
    if (readGroupFile(join(parent, file))?.trim() === '') inheritCpuset(parent);
    writeFileSync(join(folder, file), readGroupFile(join(parent, file)) ?? '');
  }
}

/** The deepest first. */
function groupsBelow(folder: string): string[] {
  return childrenOf(folder).flatMap((name) => [...groupsBelow(join(folder, name)), join(folder, name)]);
}

function childrenOf(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => entry.name);
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENODEV')) return [];
    throw error;
  }
}

/** Names of the groups right below, in any tree. */
export function groupsIn(folders: CgroupFolders): string[] {
  const names = foldersOf(folders).flatMap((folder) => childrenOf(folder));
  return [...new Set(names)];
}

/** Removes the group and those below it in every tree. Throws EBUSY while processes are inside; missing is fine. */
export function removeGroup(folders: CgroupFolders): void {
  for (const folder of foldersOf(folders)) {
    for (const group of [...groupsBelow(folder), folder]) {
      try {
        rmdirSync(group);
      } catch (error) {
        if (!hasCode(error, 'ENOENT', 'ENODEV')) throw error;
      }
    }
  }
}

/** The tree whose membership tells: the v2 tree when it is the only one, else a v1 controller that runtimes always use. */
function membershipFolder(folders: CgroupFolders): string | undefined {
  const { controllers } = folders;
  return (
    controllers.get('pids') ??
    controllers.get('memory') ??
    [...controllers.values()][0] ??
    folders.unified ??
    undefined
  );
}

/** Moves a process into the group, in every tree. Throws what the kernel says. */
export function enterGroup(folders: CgroupFolders, pid: number): void {
  for (const folder of foldersOf(folders)) writeFileSync(join(folder, 'cgroup.procs'), String(pid));
}

/** Ids of the processes in the group and in those below it. */
export function processesOf(folders: CgroupFolders): number[] {
  const folder = membershipFolder(folders);
  return folder === undefined ? [] : [folder, ...groupsBelow(folder)].flatMap(membersIn);
}

/** Ids of the processes in the group itself. */
export function membersOf(folders: CgroupFolders): number[] {
  const folder = membershipFolder(folders);
  return folder === undefined ? [] : membersIn(folder);
}

function membersIn(folder: string): number[] {
  return (readGroupFile(join(folder, 'cgroup.procs')) ?? '')
    .split('\n')
    .filter((line) => line !== '' && line !== '0')
    .map(Number);
}

/**
 * Kills every process of the group: at once by cgroup.kill where v2 has it (5.14), else round by round until none is
 * left or `roundsMax` is reached. Gives back whether the group is empty of killable processes. Throws, and kills
 * nothing, when this process or init is inside: then it is no container's group.
 */
export function killGroup(folders: CgroupFolders, roundsMax = 16): boolean {
  for (let round = 0; round < roundsMax; round++) {
    const pids = processesOf(folders);
    if (pids.length === 0) return true;
    if (pids.includes(process.pid) || pids.includes(1)) {
      throw new Error(
        `refusing to kill the control group "${membershipFolder(folders)}": it holds the host's own processes`,
      );
    }
    if (folders.controllers.size === 0 && folders.unified !== null && killAtOnce(folders.unified))
      return true;
    for (const pid of pids) signalById(pid, signalKill);
  }
  return false;
}

function killAtOnce(folder: string): boolean {
  try {
    writeFileSync(join(folder, 'cgroup.kill'), '1');
    return true;
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTSUP', 'EOPNOTSUPP'))
      return readGroupFile(join(folder, 'cgroup.procs')) === null;
    throw error;
  }
}

const controllerOf = (file: string) => file.slice(0, file.indexOf('.'));

/**
 * Where one of a group's files is, there or not: `file` starts with its controller ("memory.limit_in_bytes", "cpu.weight").
 * Undefined where the host has no tree with that.
 */
export function groupFilePath({ controllers, unified }: CgroupFolders, file: string): string | undefined {
  const folder = controllers.get(controllerOf(file)) ?? unified;
  return folder == null ? undefined : join(folder, file);
}

/** Writes one of a group's files, named as for {@link groupFilePath}. */
export function writeGroupFile(folders: CgroupFolders, file: string, value: string): void {
  const path = groupFilePath(folders, file);
  if (path === undefined)
    throw new Error(`cannot write ${file}: the host has no tree with controller "${controllerOf(file)}"`);
  writeFileSync(path, value);
}
