import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MonitorClient } from '@wherry/monitor-api';
import { scopeAnnotations } from '../spec/cgroup-path.ts';
import type { OciNamespace, OciSpec } from '../spec/oci-spec.ts';
import type { Stage } from '../volumes/stage.ts';
import { pauseProgram } from './pause-program.ts';
import { ociMappings, type PodUsers } from './pod-users.ts';
import type { Sandbox } from './sandbox-record.ts';

/** What a holder needs to know of its pod. */
export interface HolderRequest {
  sandboxId: string;
  /** Folder for the bundle. */
  folder: string;
  cgroupsPath: string;
  namespaces: Sandbox['namespaces'];
  users: PodUsers | null;
  /** Of the pod's runtime handler. Default: the monitor's. */
  ociRuntime: string | undefined;
}

/**
 * Shared process namespaces: unlike network, ipc and uts, a process namespace dies with its first process, so one
 * tiny container per pod that shares processes holds it. Pods that don't share (nearly all) have none.
 */
export class ProcessHolders {
  readonly #root: string;
  readonly #monitor: MonitorClient;
  readonly #stage: Stage;

  /** `root` is the folder that becomes every holder's read-only root file system. */
  constructor(root: string, { monitor, stage }: { monitor: MonitorClient; stage: Stage }) {
    this.#root = root;
    this.#monitor = monitor;
    this.#stage = stage;
  }

  /** Starts a holder; answers the pid whose process namespace the pod's containers join. */
  async start(request: HolderRequest): Promise<number> {
    for (const name of ['proc', 'dev', 'sys']) mkdirSync(join(this.#root, name), { recursive: true });
    this.#writeProgram(request.sandboxId);
    writeFileSync(join(request.folder, 'config.json'), JSON.stringify(this.#spec(request)), { mode: 0o600 });
    const status = await this.#monitor.call('container.create', {
      id: request.sandboxId,
      sandboxId: request.sandboxId,
      bundle: request.folder,
      terminal: false,
      stdin: false,
      stdinOnce: false,
      logPath: null,
      killLeftovers: true,
      start: true,
      ...(request.ociRuntime !== undefined && { ociRuntime: request.ociRuntime }),
    });
    return status.pid;
  }

  /** Ends a holder and everything left in its process namespace. Unknown is fine. */
  async stop(sandboxId: string): Promise<void> {
    await this.#monitor.call('container.delete', { id: sandboxId, force: true });
    this.#stage.release(sandboxId);
  }

  /** Holders of other pods may be running it, and what runs cannot be written to: a new one takes its place. */
  #writeProgram(sandboxId: string): void {
    const [path, program] = [join(this.#root, 'pause'), pauseProgram()];
    if (existsSync(path) && program.equals(readFileSync(path))) return;
    const next = `${path}.${sandboxId}`;
    writeFileSync(next, program, { mode: 0o755 });
    renameSync(next, path);
  }

  /** Where the holder's first process finds its root. */
  #rootFor({ sandboxId, users }: HolderRequest): string {
    if (!users) return this.#root;
    this.#stage.open(sandboxId, users.gids.hostId);
    return this.#stage.show(sandboxId, 'rootfs', { source: this.#root, userNamespacePath: null });
  }

  #spec(request: HolderRequest): OciSpec {
    const { cgroupsPath, namespaces, users } = request;
    const nobody = Math.min(65_535, (users?.uids.size ?? 65_536) - 1, (users?.gids.size ?? 65_536) - 1);
    const joined: OciNamespace[] = [{ type: 'pid' }, { type: 'mount' }];
    if (namespaces.net) joined.push({ type: 'network', path: namespaces.net });
    if (namespaces.ipc) joined.push({ type: 'ipc', path: namespaces.ipc });
    if (namespaces.uts) joined.push({ type: 'uts', path: namespaces.uts });
    if (namespaces.user) joined.push({ type: 'user', path: namespaces.user });
    return {
      ociVersion: '1.0.2',
      process: {
        user: { uid: nobody, gid: nobody },
        args: ['/pause'],
        env: [],
        cwd: '/',
        capabilities: { bounding: [], effective: [], permitted: [] },
        noNewPrivileges: true,
      },
      root: { path: this.#rootFor(request), readonly: true },
      mounts: [
        { destination: '/proc', type: 'proc', source: 'proc', options: ['nosuid', 'noexec', 'nodev'] },
        // Of its own: what the OCI runtime puts there would meet in the shared root, where other users can make nothing, either.
        {
          destination: '/dev',
          type: 'tmpfs',
          source: 'tmpfs',
          options: ['nosuid', 'mode=755', 'size=64k'],
        },
      ],
      ...scopeAnnotations(cgroupsPath),
      linux: {
        namespaces: joined,
        ...ociMappings(users),
        devices: [],
        cgroupsPath,
        resources: { devices: [{ allow: false, access: 'rwm' }], cpu: { shares: 2 } },
        maskedPaths: [],
        readonlyPaths: [],
      },
    };
  }
}
