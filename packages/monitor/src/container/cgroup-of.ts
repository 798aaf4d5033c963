import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CgroupLayout, groupPathOf, isSystemdPath } from '@wherry/linux';

/**
 * The control groups of a new container, in the form of /proc/PID/cgroup. They are what its bundle asks for, as the
 * kernel shows a v1 process that has ended already in the root group. Bundles that leave the choice to the OCI runtime
 * tell them by the process.
 */
export function cgroupsOf(layout: CgroupLayout, bundle: string, pid: number): string {
  const path = groupPathOfBundle(bundle);
  if (!path?.startsWith('/')) return readFileSync(`/proc/${pid}/cgroup`, 'utf8');
  const legacy = [...layout.controllers.keys()].map(
    (controller, index) => `${index + 1}:${controller}:${path}`,
  );
  return [...legacy, `0::${path}`].join('\n');
}

/** Where a bundle's container will be, below each hierarchy's mount point; undefined where the OCI runtime chooses. */
export function groupPathOfBundle(bundle: string): string | undefined {
  const requested = requestedPath(bundle);
  return requested === undefined ? undefined : groupPathOf(requested);
}

/** Whether systemd is to make the container's control group. */
export function asksSystemd(bundle: string): boolean {
  return isSystemdPath(requestedPath(bundle) ?? '');
}

function requestedPath(bundle: string): string | undefined {
  const config = JSON.parse(readFileSync(join(bundle, 'config.json'), 'utf8')) as {
    linux?: { cgroupsPath?: string };
  };
  return config.linux?.cgroupsPath;
}
