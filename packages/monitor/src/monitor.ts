import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Clock, sleep, type Timer } from '@wherry/clock';
import { becomeSubreaper, CgroupMoves, detectCgroups, Poller } from '@wherry/linux';
import { type ContainerStatus, type CreateContainerRequest, MonitorError } from '@wherry/monitor-api';
import { type Logger, silentLogger } from '@wherry/telemetry';
import { Container } from './container/container.ts';
import type { ContainerDependencies } from './container/dependencies.ts';
import { EventLog } from './container/event-log.ts';
import { folderOf } from './container/folder.ts';
import { type ContainerRecord, loadRecord } from './container/record.ts';
import { fineClock } from './fine-clock.ts';
import { endStrayKeepers } from './keeper/strays.ts';
import { limits } from './limits.ts';
import { ScratchPipe } from './log/scratch-pipe.ts';
import type { ExecDependencies } from './process/exec-call.ts';
import { ExecFolders, spareFolderOf } from './process/exec-folders.ts';
import { ExecNames } from './process/exec-names.ts';
import { endLeftExecs } from './process/left-execs.ts';
import { OciRuntime } from './process/oci-runtime.ts';
import { OrphanSweep } from './process/orphans.ts';
import { Programs } from './process/programs.ts';

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
  /** Path of the keepers' program. */
  keeperProgram: string;
  /** Default: `limits.attachPatienceMs`. */
  attachPatienceMs?: number | undefined;
  /** For exec processes that an earlier monitor left: time between SIGHUP and SIGKILL, 0 for no SIGKILL. */
  abandonedExecGraceMs: number;
  /** Whether all ended children that nobody waits for are reaped: not where others have children in this process too. */
  ownsProcess: boolean;
  clock: Clock;
  logger?: Logger;
}

/** All containers of a node: makes them, answers for them, and takes them on from an earlier monitor. */
export class Monitor {
  readonly events: EventLog;
  readonly execDependencies: ExecDependencies;
  readonly programs: Programs;
  readonly #containers = new Map<string, Container>();
  readonly #creating = new Map<string, Promise<unknown>>();
  readonly #poller = new Poller();
  readonly #scratch = new ScratchPipe();
  readonly #ociRuntime: OciRuntime;
  readonly #orphans: OrphanSweep;
  readonly #dependencies: ContainerDependencies;
  #sweep: Timer;
  readonly #abandonedExecGraceMs: number;

  constructor(options: MonitorOptions) {
    becomeSubreaper();
    const { containersFolder, socketFolder, logger = silentLogger } = options;
    const cgroups = detectCgroups();
    const clock = fineClock(options.clock);
    const tools = { poller: this.#poller, clock };
    this.events = new EventLog(clock);
    this.#orphans = new OrphanSweep({
      clock,
      kept: () => this.#keptChildren(),
      sinceTicks: () => this.#ociRuntime.underwaySinceTicks,
      reapsOwn: options.ownsProcess,
    });
    this.#ociRuntime = new OciRuntime({
      ...{ program: options.ociRuntime, root: options.ociRoot, tools },
      onCallEnded: () => this.#orphans.lookSoon(),
    });
    this.#dependencies = {
      ...tools,
      ociRuntime: this.#ociRuntime,
      logger,
      cgroups,
      keeperProgram: options.keeperProgram,
      containersFolder,
      socketFolder,
      scratch: this.#scratch,
      attachPatienceMs: options.attachPatienceMs ?? limits.attachPatienceMs,
      onEvent: (type, container) => this.events.publish(type, container),
    };
    this.execDependencies = {
      ...tools,
      ociRuntimeOf: (id) => this.#ociRuntime.withProgram(this.#containers.get(id)?.request.ociRuntime),
      moves: new CgroupMoves(cgroups),
      names: new ExecNames(),
      running: new Set(),
      folders: new ExecFolders(options.execFolder, spareFolderOf(options.execFolder)),
      socketFolder,
    };
    this.programs = new Programs(this.execDependencies);
    this.#abandonedExecGraceMs = options.abandonedExecGraceMs;
    this.#sweep = this.#sweepLater();
  }

  /** Takes on everything that earlier monitors left in the containers' folder. */
  async adopt(): Promise<void> {
    const { containersFolder, keeperProgram } = this.#dependencies;
    await Promise.all(readdirSync(containersFolder).map((id) => this.#adoptOne(id)));
    const kept = new Set([...this.#containers.values()].flatMap((container) => container.keptBy));
    endStrayKeepers(keeperProgram, kept);
    this.#endLeftExecs();
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

  /** Settles when no creation of it is under way: what is asked of it then meets it, or finds that there is none. */
  async settled(id: string): Promise<void> {
    await this.#creating.get(id);
  }

  async create(request: CreateContainerRequest): Promise<ContainerStatus> {
    folderOf(this.#dependencies.containersFolder, request.id);
    if (this.#containers.has(request.id) || this.#creating.has(request.id)) {
      throw new MonitorError('ALREADY_EXISTS', `container "${request.id}" exists already`);
    }
    const created = Container.create(this.#dependencies, request).then((container) => {
      this.#containers.set(request.id, container);
      return container.status();
    });
    const settled = created
      .catch(() => {})
      .finally(() => {
        this.#creating.delete(request.id);
      });
    this.#creating.set(request.id, settled);
    return created;
  }

  /** Removing what is not there is fine. */
  async remove(id: string, force: boolean): Promise<void> {
    await this.settled(id);
    await this.#containers.get(id)?.remove(force);
    this.#containers.delete(id);
  }

  /** Lets everything go; the containers run on for the next monitor. */
  async close(): Promise<void> {
    this.#sweep.cancel();
    await Promise.all([...this.#containers.values()].map((container) => container.abandon()));
    await this.#ociRuntime.close();
    this.#orphans.close();
    this.#poller.close();
    this.#scratch.close();
  }

  async #adoptOne(id: string): Promise<void> {
    const { containersFolder, logger, clock } = this.#dependencies;
    const folder = join(containersFolder, id);
    let record: ContainerRecord | null = null;
    for (let attempt = 1; ; attempt++) {
      try {
        record = loadRecord(folder);
        // Nothing was started yet: the record comes first.
        if (!record) return rmSync(folder, { recursive: true, force: true });
        const container = await Container.adopt(this.#dependencies, record);
        if (container) this.#containers.set(id, container);
        return;
      } catch (error) {
        logger.error('a container could not be taken on', { container: id, attempt, error });
        if (attempt === limits.adoptAttempts) return this.#giveUp(id, record, String(error));
      }
      await sleep({ clock, delayMs: limits.adoptRetryMs });
    }
  }

  /** No process stays without an owner. Without a record there is only the id to end it by. */
  async #giveUp(id: string, record: ContainerRecord | null, reason: string): Promise<void> {
    const { containersFolder, logger } = this.#dependencies;
    if (record) this.#containers.set(id, await Container.giveUp(this.#dependencies, record, reason));
    else {
      const folder = join(containersFolder, id);
      await this.#ociRuntime
        .call({ arguments: ['delete', '--force', id], logPath: join(folder, 'oci.log') })
        .then(() => rmSync(folder, { recursive: true, force: true }))
        .catch((error) =>
          logger.error('a container without a record was not removed', { container: id, error }),
        );
    }
  }

  #sweepLater(): Timer {
    return this.#dependencies.clock.after(limits.orphanSweepMs, () => {
      this.#sweep = this.#sweepLater();
      this.#orphans.look();
      this.#endLeftExecs();
    });
  }

  #keptChildren(): number[] {
    const containers = [...this.#containers.values()];
    const ofContainers = containers.flatMap(({ pid, keptBy }) => (pid === null ? keptBy : [pid, ...keptBy]));
    return [...ofContainers, ...this.execDependencies.running];
  }

  #endLeftExecs(): void {
    const tools = this.execDependencies;
    try {
      for (const folder of tools.folders.all)
        endLeftExecs({
          ...{ tools, folder, graceMs: this.#abandonedExecGraceMs },
          isOurs: (name) => tools.names.isOwn(name),
        });
    } catch (error) {
      this.#dependencies.logger.warn('exec processes of an earlier monitor may be left', { error });
    }
  }
}
