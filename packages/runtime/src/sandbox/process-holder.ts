import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MonitorClient } from '@wherry/monitor-api';
import type { OciNamespace, OciSpec } from '../spec/oci-spec.ts';
import { pauseProgram } from './pause-program.ts';

/** What a holder needs to know of its pod. */
export interface HolderRequest {
  sandboxId: string;
  /** Folder for the bundle. */
  folder: string;
  cgroupsPath: string;
  namespaces: Partial<Record<'net' | 'ipc' | 'uts', string>>;
}

/**
 * Shared process namespaces: unlike network, ipc and uts, a process namespace dies with its first process, so one
 * tiny container per pod that shares processes holds it. Pods that don't share (nearly all) have none.
 */
export class ProcessHolders {
  readonly #root: string;
  readonly #monitor: MonitorClient;

  /** `root` is the folder that becomes every holder's read-only root file system. */
  constructor(root: string, monitor: MonitorClient) {
    this.#root = root;
    this.#monitor = monitor;
  }

  /** Starts a holder; answers the pid whose process namespace the pod's containers join. */
  async start(request: HolderRequest): Promise<number> {
    for (const name of ['proc', 'dev', 'sys']) mkdirSync(join(this.#root, name), { recursive: true });
    writeFileSync(join(this.#root, 'pause'), pauseProgram(), { mode: 0o755 });
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
    });
    return status.pid;
  }

  /** Ends a holder and everything left in its process namespace. Unknown is fine. */
  async stop(sandboxId: string): Promise<void> {
    await this.#monitor.call('container.delete', { id: sandboxId, force: true });
  }

  #spec({ cgroupsPath, namespaces }: HolderRequest): OciSpec {
    const joined: OciNamespace[] = [{ type: 'pid' }, { type: 'mount' }];
    if (namespaces.net) joined.push({ type: 'network', path: namespaces.net });
    if (namespaces.ipc) joined.push({ type: 'ipc', path: namespaces.ipc });
    if (namespaces.uts) joined.push({ type: 'uts', path: namespaces.uts });
    return {
      ociVersion: '1.0.2',
      process: {
        user: { uid: 65_535, gid: 65_535 },
        args: ['/pause'],
        env: [],
        cwd: '/',
        capabilities: { bounding: [], effective: [], permitted: [] },
        noNewPrivileges: true,
      },
      root: { path: this.#root, readonly: true },
      mounts: [
        { destination: '/proc', type: 'proc', source: 'proc', options: ['nosuid', 'noexec', 'nodev'] },
      ],
      linux: {
        namespaces: joined,
        devices: [],
        cgroupsPath,
        resources: { devices: [{ allow: false, access: 'rwm' }], cpu: { shares: 2 } },
        maskedPaths: [],
        readonlyPaths: [],
      },
    };
  }
}
