import { mkdir, readFile } from 'node:fs/promises';
import { isIPv6 } from 'node:net';
import { orAborted } from '@wherry/bytes';
import type { Clock } from '@wherry/clock';
import type { NFSVolumeSource } from '@wherry/kubeapi';
import { parseMountInfo } from '@wherry/linux';
import { nfsMountMs, nfsUnmountMs } from '../../../limits.ts';
import type { NfsHost, ReadyVolume } from '../volume-plugin.ts';
import { type RunningTool, runTool } from './run-tool.ts';

/** What the mounts are made with. */
export interface NfsMountsOptions {
  clock: Clock;
  /** mount(8), which finds mount.nfs; default `mount`. */
  mountProgram?: string;
}

/**
 * Folders of NFS servers in pods' folders. Whatever may wait for a server is done by programs: a server that does not answer
 * holds up those who want it, and neither this process nor any other pod.
 */
export class NfsMounts implements NfsHost {
  readonly #clock: Clock;
  readonly #program: string;
  /** By folder: who asks again waits for the same one. */
  readonly #underWay = new Map<string, RunningTool>();

  constructor({ clock, mountProgram = 'mount' }: NfsMountsOptions) {
    this.#clock = clock;
    this.#program = mountProgram;
  }

  async mount(
    { server, path, readOnly = false }: NFSVolumeSource,
    { target, options, signal }: { target: string; options: readonly string[]; signal: AbortSignal },
  ): Promise<ReadyVolume> {
    const ready = { hostPath: target, readOnly, isRemote: true };
    let running = this.#underWay.get(target);
    if (!running) {
      if (await isMounted(target)) return ready;
      await mkdir(target, { recursive: true, mode: 0o750 });
      // What is begun for a pod that has gone meanwhile nobody would end.
      signal.throwIfAborted();
      const all = [...(readOnly ? ['ro'] : []), ...options];
      const host = isIPv6(server) ? `[${server}]` : server;
      const words = all.length > 0 ? ['-o', all.join(',')] : [];
      running = this.#run(target, ['-t', 'nfs', ...words, '--', `${host}:${path}`, target]);
    }
    await orAborted(running.done, signal);
    return ready;
  }

  /** Mounting goes on when its pod has given up for now: mount.nfs has its own patience with servers. */
  #run(target: string, args: readonly string[]): RunningTool {
    const before = this.#underWay.get(target);
    if (before) return before;
    const running = runTool({ program: this.#program, args, clock: this.#clock, timeoutMs: nfsMountMs });
    this.#underWay.set(target, running);
    const forget = () => {
      if (this.#underWay.get(target) === running) this.#underWay.delete(target);
    };
    running.done.then(forget, forget);
    return running;
  }

  async release(folder: string): Promise<void> {
    for (const [target, running] of this.#underWay)
      if (isBelow(target, folder)) running.end('was ended, since its pod is gone');
    const mounts = (await mountTable()).filter(
      ({ mountPoint, type }) =>
        isBelow(mountPoint, folder) && (/^nfs4?$/.test(type) || mountPoint.includes('/kubernetes.io~nfs/')),
    );
    // Without looking at what is mounted, and without waiting for whoever has files open there.
    for (const { mountPoint } of mounts.sort(
      (one, other) => other.mountPoint.length - one.mountPoint.length,
    )) {
      const args = ['--lazy', '--no-canonicalize', '--internal-only', '--', mountPoint];
      await runTool({ program: 'umount', args, clock: this.#clock, timeoutMs: nfsUnmountMs }).done;
    }
  }
}

const isBelow = (path: string, folder: string) => path === folder || path.startsWith(`${folder}/`);

const mountTable = async () => parseMountInfo(await readFile('/proc/self/mountinfo', 'utf8'));

/** By the kernel's table: a look at the folder itself would wait for its server. */
const isMounted = async (path: string) => (await mountTable()).some(({ mountPoint }) => mountPoint === path);
