import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CgroupLayout, groupPathOf, isSystemdPath } from '@wherry/linux';

/** The control group that a bundle asks for. Its configuration, which never changes, is read once, when first asked. */
export class BundleGroup {
  readonly #bundle: string;
  #requested: { path: string | undefined } | undefined;

  constructor(bundle: string) {
    this.#bundle = bundle;
  }

  /** Where the container will be, below each hierarchy's mount point; undefined where the OCI runtime chooses. */
  get path(): string | undefined {
    const path = this.#wanted;
    return path === undefined ? undefined : groupPathOf(path);
  }

  /** Whether systemd is to make it. */
  get asksSystemd(): boolean {
    return isSystemdPath(this.#wanted ?? '');
  }

  /**
   * The control groups of the new container, in the form of /proc/PID/cgroup. They are what its bundle asks for, as the
   * kernel shows a v1 process that has ended already in the root group. Bundles that leave the choice to the OCI runtime
   * tell them by the process.
   */
  foldersOf(layout: CgroupLayout, pid: number): string {
    const { path } = this;
    if (!path?.startsWith('/')) return readFileSync(`/proc/${pid}/cgroup`, 'utf8');
    const legacy = [...layout.controllers.keys()].map(
      (controller, index) => `${index + 1}:${controller}:${path}`,
    );
    return [...legacy, `0::${path}`].join('\n');
  }

  get #wanted(): string | undefined {
    this.#requested ??= { path: requestedPath(this.#bundle) };
    return this.#requested.path;
  }
}

function requestedPath(bundle: string): string | undefined {
  const config = JSON.parse(readFileSync(join(bundle, 'config.json'), 'utf8')) as {
    linux?: { cgroupsPath?: string };
  };
  return config.linux?.cgroupsPath;
}
