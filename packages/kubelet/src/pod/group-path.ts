import { posix } from 'node:path';
import { isSlice, sliceFolder, sliceName } from '@wherry/linux';

/** Who arranges control groups, and below which one pods are. */
export interface GroupPlace {
  cgroupDriver: 'cgroupfs' | 'systemd';
  /** `/` or empty for the root; with systemd a slice. */
  cgroupRoot: string;
}

const slices = '.slice';

/** The parts of a root slice's name: `a-b.slice` has two. Throws for a root that is no slice. */
function rootParts(cgroupRoot: string): string[] {
  if (!isSliceRoot(cgroupRoot))
    throw new Error(`cgroupRoot "${cgroupRoot}": with the cgroup driver systemd want a slice, or none`);
  const name = posix.basename(cgroupRoot);
  return name === '' ? [] : name.slice(0, -slices.length).split('-');
}

/** Whether systemd can have such a root. */
export const isSliceRoot = (cgroupRoot: string): boolean =>
  cgroupRoot === '' || cgroupRoot === '/' || isSlice(cgroupRoot);

/**
 * Where a group of pods is below the mount points, by upstream's layout: `/kubepods/burstable/pod<uid>`, or
 * `/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod<uid>.slice`, the dashes of `<uid>` as `_`.
 */
export function groupPath({ cgroupDriver, cgroupRoot }: GroupPlace, ...below: string[]): string {
  const names = ['kubepods', ...below];
  if (cgroupDriver === 'systemd') return sliceFolder(sliceName([...rootParts(cgroupRoot), ...names]));
  return [cgroupRoot.replace(/\/$/, ''), ...names].join('/');
}

/**
 * Where a group is that a configuration names: a path, with or without its first `/`; with systemd the slice of its last part,
 * wherever that stands (upstream: ParseSystemdToCgroupName).
 */
export function namedGroup(driver: GroupPlace['cgroupDriver'], name: string): string {
  if (driver === 'cgroupfs') return posix.join('/', name.replace(/\/$/, ''));
  const last = posix.basename(name);
  return sliceFolder(isSlice(last) ? last : `${last}${slices}`);
}

/** The pod that the group right below a class is of, by its folder's name; undefined for another's. */
export function podOfGroup(driver: GroupPlace['cgroupDriver'], folder: string): string | undefined {
  if (driver === 'cgroupfs') return /^pod(.+)$/.exec(folder)?.[1];
  return /-pod([^-]+)\.slice$/.exec(folder)?.[1]?.replaceAll('_', '-');
}
