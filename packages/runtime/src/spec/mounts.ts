import { posix } from 'node:path';
import { once } from '@wherry/bytes';
import { type Mount, MountPropagation } from '@wherry/cri';
import { type MountInfo, readMountInfo } from '@wherry/linux';
import { RuntimeError } from '../errors.ts';
import type { OciMount } from './oci-spec.ts';

/** What every container has under /proc, /dev and /sys, before the request's own mounts. */
export function defaultMounts(privileged: boolean): OciMount[] {
  const writable = privileged ? 'rw' : 'ro';
  const plain = ['nosuid', 'noexec', 'nodev'];
  return [
    { destination: '/proc', type: 'proc', source: 'proc', options: plain },
    {
      destination: '/dev',
      type: 'tmpfs',
      source: 'tmpfs',
      options: ['nosuid', 'strictatime', 'mode=755', 'size=65536k'],
    },
    {
      destination: '/dev/pts',
      type: 'devpts',
      source: 'devpts',
      options: ['nosuid', 'noexec', 'newinstance', 'ptmxmode=0666', 'mode=0620', 'gid=5'],
    },
    { destination: '/dev/mqueue', type: 'mqueue', source: 'mqueue', options: plain },
    { destination: '/sys', type: 'sysfs', source: 'sysfs', options: [...plain, writable] },
    {
      destination: '/sys/fs/cgroup',
      type: 'cgroup',
      source: 'cgroup',
      options: [...plain, 'relatime', writable],
    },
  ];
}

/** A bind mount of a file or folder of the machine that takes no part in propagation. */
export const bind = (source: string, destination: string, ...options: string[]): OciMount => ({
  destination,
  type: 'bind',
  source,
  options: ['rbind', 'rprivate', ...options],
});

/** The machine's mounts, read when they are first asked for and once. */
export type MachineMounts = () => readonly MountInfo[];

/** Those of now, for all mounts of one container. */
export const machineMounts = (): MachineMounts => once(readMountInfo);

/** Throws `RuntimeError` INVALID_ARGUMENT where a mount can't be: the kernel passes mounts on only below shared (or, inwards, slave) mounts. */
export function checkPropagation(
  source: string,
  propagation: MountPropagation,
  mounted: MachineMounts,
): void {
  if (propagation === MountPropagation.PROPAGATION_PRIVATE) return;
  const tags = mountOf(source, mounted())?.propagation ?? [];
  const isShared = tags.some((tag) => tag.startsWith('shared:'));
  const isSlave = tags.some((tag) => tag.startsWith('master:'));
  if (isShared || (isSlave && propagation === MountPropagation.PROPAGATION_HOST_TO_CONTAINER)) return;
  throw new RuntimeError(
    'INVALID_ARGUMENT',
    `"${source}" is mounted on the machine, but not as a shared mount; mount propagation needs one`,
  );
}

function mountOf(path: string, mounts: readonly MountInfo[]): MountInfo | undefined {
  const holds = (mountPoint: string) =>
    mountPoint === '/' || path === mountPoint || path.startsWith(`${mountPoint}/`);
  return mounts
    .filter((info) => holds(info.mountPoint))
    .reduce<MountInfo | undefined>(
      (best, info) => ((best?.mountPoint.length ?? -1) <= info.mountPoint.length ? info : best),
      undefined,
    );
}

const propagationOptions: Record<MountPropagation, string> = {
  [MountPropagation.PROPAGATION_PRIVATE]: 'rprivate',
  [MountPropagation.PROPAGATION_HOST_TO_CONTAINER]: 'rslave',
  [MountPropagation.PROPAGATION_BIDIRECTIONAL]: 'rshared',
};

function readOnlyOption(mount: Mount, supportsRecursive: boolean): string {
  if (!mount.recursiveReadOnly) return mount.readonly ? 'ro' : 'rw';
  const where = `mount of "${mount.containerPath}"`;
  if (!supportsRecursive)
    throw new RuntimeError('UNKNOWN', `RROUnsupported: ${where}: the OCI runtime or kernel lacks it`);
  if (!mount.readonly)
    throw new RuntimeError('INVALID_ARGUMENT', `${where}: recursive read-only needs readonly as well`);
  if (mount.propagation !== MountPropagation.PROPAGATION_PRIVATE) {
    throw new RuntimeError('INVALID_ARGUMENT', `${where}: recursive read-only needs private propagation`);
  }
  return 'rro';
}

/** Refuses a mount without its two paths. */
export function checkPaths(mount: Mount): void {
  if (mount.containerPath === '' || mount.hostPath === '') {
    throw new RuntimeError(
      'INVALID_ARGUMENT',
      `a mount needs a host path and a container path, got "${mount.hostPath}" and "${mount.containerPath}"`,
    );
  }
}

/**
 * A requested mount of a path of the machine, which is `source` with its links resolved, or staged there. Throws `RuntimeError`
 * INVALID_ARGUMENT for combinations that cannot be.
 */
export function requestedMount(
  mount: Mount,
  {
    source,
    isStaged = false,
    supportsRecursiveReadOnly,
    mounted,
  }: { source: string; isStaged?: boolean; supportsRecursiveReadOnly: boolean; mounted: MachineMounts },
): OciMount {
  if (!isStaged) checkPropagation(source, mount.propagation, mounted);
  const readOnly = readOnlyOption(mount, supportsRecursiveReadOnly);
  const destination = posix.join('/', mount.containerPath);
  const extra = extraOptions(mount);
  return {
    destination,
    type: 'bind',
    source,
    options: ['rbind', propagationOptions[mount.propagation], readOnly, ...extra],
  };
}

const knownOptions = new Set(['noexec', 'nodev', 'nosuid']);

/** What a mount forbids beside writing. Throws `RuntimeError` INVALID_ARGUMENT for an option that CRI does not know. */
export function extraOptions({ mountOptions, containerPath }: Mount): string[] {
  const unknown = mountOptions.find((option) => !knownOptions.has(option));
  if (unknown === undefined) return mountOptions;
  throw new RuntimeError(
    'INVALID_ARGUMENT',
    `mount of "${containerPath}" has the unknown option "${unknown}"`,
  );
}

/** How mounts pass between the container's root and the machine: as far as its widest mount needs. */
export function rootPropagation(mounts: readonly Mount[]): string | undefined {
  const has = (wanted: MountPropagation) => mounts.some(({ propagation }) => propagation === wanted);
  if (has(MountPropagation.PROPAGATION_BIDIRECTIONAL)) return 'rshared';
  return has(MountPropagation.PROPAGATION_HOST_TO_CONTAINER) ? 'rslave' : undefined;
}

const depthOf = (path: string) =>
  posix
    .normalize(path)
    .split('/')
    .filter((part) => part !== '').length;

/**
 * Own mounts below the request's: the same destination is the request's, and who mounts /dev or /sys itself gets
 * nothing of ours below. Parents come before children, else in the order given.
 */
export function orderMounts(own: readonly OciMount[], requested: readonly OciMount[]): OciMount[] {
  const taken = new Set(requested.map(({ destination }) => posix.normalize(destination)));
  const covered = (destination: string) =>
    ['/dev', '/sys'].some((folder) => taken.has(folder) && destination.startsWith(`${folder}/`));
  const kept = own.filter(({ destination }) => !taken.has(destination) && !covered(destination));
  return [...kept, ...requested].sort((a, b) => depthOf(a.destination) - depthOf(b.destination));
}
