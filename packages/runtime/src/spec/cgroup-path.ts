import { posix } from 'node:path';

/** Who arranges cgroups: this runtime writes them itself, or systemd does when the parent is one of its slices. */
export type CgroupDriver = 'cgroupfs' | 'systemd';

const scopePrefix = 'wherry';
const isSlice = (parent: string) => posix.basename(parent).endsWith('.slice');

/**
 * The `cgroupsPath` of a container. A parent ending in `.slice` gives systemd's form `slice:prefix:name` (OCI
 * runtimes read it with `--systemd-cgroup`) when systemd is the driver; else it is a folder like any other.
 */
export function cgroupsPath(options: {
  driver: CgroupDriver;
  parent: string;
  defaultParent: string;
  id: string;
}): string {
  const { driver, defaultParent, id } = options;
  const parent = options.parent === '' ? defaultParent : options.parent;
  if (driver === 'systemd' && isSlice(parent)) return `${posix.basename(parent)}:${scopePrefix}:${id}`;
  return posix.join('/', parent, id);
}

/** Parents of a slice by systemd's naming: `a-b.slice` lies in `a.slice`. */
function sliceFolders(slice: string): string {
  const parts = slice.slice(0, -'.slice'.length).split('-');
  return parts.map((_, at) => `${parts.slice(0, at + 1).join('-')}.slice`).join('/');
}

/** Where the cgroup of a `cgroupsPath` is found below each hierarchy's mount point. */
export function cgroupFolder(path: string): string {
  const [slice = '', prefix, name] = path.split(':');
  return name === undefined ? path : `/${sliceFolders(slice)}/${prefix}-${name}.scope`;
}
