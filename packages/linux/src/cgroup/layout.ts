import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type MountInfo, readMountInfo } from '../filesystem/mountinfo.ts';

/** How the host mounts control groups. Hybrid: v1 controllers beside an empty v2 tree. */
export type CgroupVersion = 'v1' | 'hybrid' | 'v2';

/** The host's control group trees. */
export interface CgroupLayout {
  version: CgroupVersion;
  /** v1: mount point by controller ("memory", "cpu", …, "name=systemd"). Empty on v2. */
  controllers: ReadonlyMap<string, string>;
  /** Mount point of the v2 tree, or null. */
  unified: string | null;
}

const noController = new Set([
  'rw',
  'ro',
  'xattr',
  'clone_children',
  'release_agent',
  'nosuid',
  'cpuset_v2_mode',
]);

/** Finds the trees in a mount table; by default this process's own. Throws when there is none at all. */
export function detectCgroups(mounts: MountInfo[] = readMountInfo()): CgroupLayout {
  const controllers = new Map<string, string>();
  let unified: string | null = null;
  for (const { type, mountPoint, superOptions } of mounts) {
    if (type === 'cgroup2') unified ??= mountPoint;
    if (type !== 'cgroup') continue;
    for (const option of superOptions) {
      const isController = option.startsWith('name=') || (!noController.has(option) && !option.includes('='));
      if (isController && !controllers.has(option)) controllers.set(option, mountPoint);
    }
  }
  if (controllers.size === 0 && unified === null)
    throw new Error('no cgroup file system is mounted; mount one on /sys/fs/cgroup');
  const version = controllers.size === 0 ? 'v2' : unified === null ? 'v1' : 'hybrid';
  return { version, controllers, unified };
}

/** The folders of one control group: by controller on v1, and in the v2 tree. */
export interface CgroupFolders {
  controllers: ReadonlyMap<string, string>;
  unified: string | null;
}

/** The folders of the group at `path` ("/kubepods/pod1") in each tree; they need not exist. */
export function foldersAt(layout: CgroupLayout, path: string): CgroupFolders {
  return {
    controllers: new Map(
      [...layout.controllers].map(([controller, mountPoint]) => [controller, join(mountPoint, path)]),
    ),
    unified: layout.unified === null ? null : join(layout.unified, path),
  };
}

/** The folders of the groups that a process is in. Throws ENOENT when there is no such process. */
export function foldersOfProcess(layout: CgroupLayout, pid: number): CgroupFolders {
  return parseProcessCgroups(layout, readFileSync(`/proc/${pid}/cgroup`, 'utf8'));
}

/** Reads the text of /proc/PID/cgroup (cgroups(7)). */
export function parseProcessCgroups(layout: CgroupLayout, text: string): CgroupFolders {
  const controllers = new Map<string, string>();
  let unified: string | null = null;
  for (const line of text.split('\n')) {
    const [, names, path] = /^\d+:([^:]*):(.*)$/.exec(line) ?? [];
    if (names === undefined || path === undefined) continue;
    if (names === '' && layout.unified !== null) unified = join(layout.unified, path);
    for (const name of names.split(',')) {
      const mountPoint = layout.controllers.get(name);
      if (mountPoint !== undefined) controllers.set(name, join(mountPoint, path));
    }
  }
  return { controllers, unified };
}
