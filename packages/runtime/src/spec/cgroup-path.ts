import { posix } from 'node:path';
import { isSlice, isSystemdPath, sliceFolder } from '@wherry/linux';
import { RuntimeError } from '../errors.ts';

/** Who arranges cgroups: this runtime writes them itself, or systemd does, below its slices. */
export type CgroupDriver = 'cgroupfs' | 'systemd';

const scopePrefix = 'wherry';

/**
 * The `cgroupsPath` of a container: a folder, or systemd's form `slice:prefix:name`, which OCI runtimes read with
 * `--systemd-cgroup`. Throws `RuntimeError` INVALID_ARGUMENT for a parent that systemd can't have.
 */
export function cgroupsPath(options: {
  driver: CgroupDriver;
  parent: string;
  defaultParent: string;
  id: string;
}): string {
  const { driver, defaultParent, id } = options;
  const parent = options.parent === '' ? defaultParent : options.parent;
  if (driver === 'cgroupfs') return posix.join('/', parent, id);
  if (isSlice(parent)) return `${posix.basename(parent)}:${scopePrefix}:${id}`;
  throw new RuntimeError(
    'INVALID_ARGUMENT',
    `cgroup parent "${parent}": this runtime's cgroup driver is systemd, which has slices alone; want a name such as kubepods.slice`,
  );
}

/** The cgroup of a pod, as its request names it: slices may be named without those above them. */
export function podGroupPath(parent: string, driver: CgroupDriver): string {
  return driver === 'systemd' && isSlice(parent) ? sliceFolder(posix.basename(parent)) : parent;
}

/** crun has processes in a group of their own below their scope unless it is told otherwise; limits would be one higher. */
export const scopeAnnotations = (path: string): { annotations?: Record<string, string> } =>
  isSystemdPath(path) ? { annotations: { 'run.oci.systemd.subgroup': '' } } : {};
