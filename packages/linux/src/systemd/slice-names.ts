import { posix } from 'node:path';

const ending = '.slice';

/** Whether a path ends in one of systemd's slices. */
export const isSlice = (path: string): boolean => path.endsWith(ending) && posix.basename(path) !== ending;

/** The name of a slice below others (systemd.slice(5)): its parts by dashes, those in a part by `_`. */
export const sliceName = (parts: readonly string[]): string =>
  `${parts.map((part) => part.replaceAll('-', '_')).join('-')}${ending}`;

/** The control group of a slice: `a-b.slice` lies in `a.slice`. */
export function sliceFolder(name: string): string {
  const parts = name.slice(0, -ending.length).split('-');
  return parts.map((_, at) => `/${parts.slice(0, at + 1).join('-')}${ending}`).join('');
}

/**
 * Where the cgroup of an OCI configuration's `cgroupsPath` is below each hierarchy's mount point: a path as it stands,
 * systemd's form `slice:prefix:name` as a scope in its slice.
 */
export function groupPathOf(cgroupsPath: string): string {
  const [slice = '', prefix, name] = cgroupsPath.split(':');
  return isSystemdPath(cgroupsPath) ? `${sliceFolder(slice)}/${prefix}-${name}.scope` : cgroupsPath;
}

/** Whether an OCI configuration's `cgroupsPath` is for `--systemd-cgroup`. */
export const isSystemdPath = (cgroupsPath: string): boolean =>
  /^[^/:]+\.slice:[^/:]*:[^/:]+$/.test(cgroupsPath);
