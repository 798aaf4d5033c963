import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { becomeSubreaper, canReadExitOfDescriptor, detectCgroups, Poller, ProcessExits } from '@wherry/linux';
import { type ContainerStatus, type CreateContainerRequest, MonitorError } from '@wherry/monitor-api';
import { type Logger, silentLogger } from '@wherry/telemetry';
import { Container } from './container/container.ts';
import type { ContainerEnvironment } from './container/environment.ts';
import { EventLog } from './container/event-log.ts';
import { folderOf } from './container/folder.ts';
import { HoldRegistry } from './container/hold-registry.ts';
import { loadRecord } from './container/record.ts';
import { limits } from './limits.ts';
import { reapOrphans } from './orphans.ts';
import type { ExecEnvironment } from './process/exec-call.ts';
import { OciRuntime } from './process/oci-runtime.ts';

/** Where a monitor keeps things and what it runs. Folders must exist. */
export interface MonitorOptions {
  containersFolder: string;
  /** State folder of the OCI runtime. */
  ociRoot: string;
  /** Folder for what the OCI runtime tells about exec processes. */
  execFolder: string;
  /** Folder for console sockets: at most 80 bytes long. */
  socketFolder: string;
  ociRuntime: string;
  /** Default: `limits.attachPatienceMs`. */
  attachPatienceMs?: number | undefined;
  logger?: Logger;
}

/** All containers of a node: makes them, answers for them, and takes them on from an earlier monitor. */
export class Monitor {
  readonly events = new EventLog();
  readonly holds = new HoldRegistry();
  readonly execEnvironment: ExecEnvironment;
  readonly #containers = new Map<string, Container>();
  readonly #creating = new Set<string>();
  readonly #poller = new Poller();
  readonly #runtime: OciRuntime;
  readonly #environment: ContainerEnvironment;
  readonly #exitsElsewhere = new Map<number, number>();
  readonly #sweep: NodeJS.Timeout;
  #connector: ProcessExits | null = null;

  constructor(options: MonitorOptions) {
    becomeSubreaper();
    const { containersFolder, socketFolder, logger = silentLogger } = options;
    const cgroups = detectCgroups();
    this.#runtime = new OciRuntime({
      program: options.ociRuntime,
      root: options.ociRoot,
      poller: this.#poller,
    });
    this.#environment = {
      runtime: this.#runtime,
      poller: this.#poller,
      logger,
      cgroups,
      holds: this.holds,
      containersFolder,
      socketFolder,
      attachPatienceMs: options.attachPatienceMs ?? limits.attachPatienceMs,
      onEvent: (type, container) => this.events.publish(type, container),
      exitSeenElsewhere: (pid) => this.#exitsElsewhere.get(pid) ?? null,
    };
    this.execEnvironment = {
      runtime: this.#runtime,
      poller: this.#poller,
      cgroups,
      running: new Set(),
      folder: options.execFolder,
      socketFolder,
    };
    this.#sweep = setInterval(() => this.#reapOrphans(), limits.orphanSweepMs);
    this.#sweep.unref();
  }

  /** Takes on everything that earlier monitors left in the containers' folder. */
  async adopt(): Promise<void> {
    const { containersFolder } = this.#environment;
    const ids = readdirSync(containersFolder);
    if (ids.length > 0 && !canReadExitOfDescriptor()) this.#listenForExits();
    await Promise.all(ids.map((id) => this.#adoptOne(id)));
  }

  /** Throws `NOT_FOUND`. */
  container(id: string): Container {
    const container = this.#containers.get(id);
    if (!container) throw new MonitorError('NOT_FOUND', `no container "${id}" here`);
    return container;
  }

  /** Whether there is such a container and its first process has not ended. */
  isAlive(id: string): boolean {
    return this.#containers.get(id)?.isAlive === true;
  }

  /** As `container`, but it must be running (`FAILED_PRECONDITION`). */
  runningContainer(id: string): Container {
    const container = this.container(id);
    if (container.isRunning) return container;
    throw new MonitorError(
      'FAILED_PRECONDITION',
      `container "${id}" is ${container.status().state}, not running`,
    );
  }

  statuses(): ContainerStatus[] {
    return [...this.#containers.values()].map((container) => container.status());
  }

  async create(request: CreateContainerRequest): Promise<ContainerStatus> {
    folderOf(this.#environment.containersFolder, request.id);
    if (this.#containers.has(request.id) || this.#creating.has(request.id)) {
      throw new MonitorError('ALREADY_EXISTS', `container "${request.id}" exists already`);
    }
    this.#creating.add(request.id);
    try {
      const container = await Container.create(this.#environment, request);
      this.#containers.set(request.id, container);
      return container.status();
    } finally {
      this.#creating.delete(request.id);
    }
  }

  /** Removing what is not there is fine. */
  async remove(id: string, force: boolean): Promise<void> {
    await this.#containers.get(id)?.remove(force);
    this.#containers.delete(id);
  }

  /** Lets everything go; the containers run on for the next monitor. */
  async close(): Promise<void> {
    clearInterval(this.#sweep);
    await Promise.all([...this.#containers.values()].map((container) => container.abandon()));
    this.#connector?.close();
    this.#poller.close();
  }

  async #adoptOne(id: string): Promise<void> {
    const { containersFolder, logger } = this.#environment;
    const folder = join(containersFolder, id);
    const record = loadRecord(folder);
    try {
      if (!record || record.phase === 'creating') await this.#forget(id, folder);
      else this.#containers.set(id, await Container.adopt(this.#environment, record));
    } catch (error) {
      logger.error('a container could not be taken on', { container: id, error });
    }
  }

  /** The earlier monitor ended in the middle of making it: nobody was told that it exists. */
  async #forget(id: string, folder: string): Promise<void> {
    this.#environment.logger.warn('removing a container that was never finished', { container: id });
    await this.#runtime
      .call({ arguments: ['delete', '--force', id], logPath: join(folder, 'oci.log') })
      .catch(() => {});
    rmSync(folder, { recursive: true, force: true });
  }

  /** Containers of an earlier monitor are not our children: on older kernels only the connector tells their exits. */
  #listenForExits(): void {
    try {
      this.#connector = new ProcessExits(this.#poller, ({ pid, exitCode }) => {
        if (this.#isWatched(pid)) this.#exitsElsewhere.set(pid, exitCode);
      });
    } catch (error) {
      this.#environment.logger.warn('exit codes of adopted containers may be unknown', { error });
    }
  }

  #isWatched(pid: number): boolean {
    return [...this.#containers.values()].some((container) => container.pid === pid);
  }

  /** While the OCI runtime works, what it has just started may be a child of ours that nobody has taken on yet. */
  #reapOrphans(): void {
    if (this.#runtime.isBusy) return;
    reapOrphans((pid) => this.#isWatched(pid) || this.execEnvironment.running.has(pid));
  }
}
