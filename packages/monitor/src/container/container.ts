import { mkdirSync, rmSync } from 'node:fs';
import { killGroup, parseProcessCgroups, processesOf, readOutOfMemoryKills } from '@wherry/linux';
import {
  type ContainerEventType,
  type ContainerStatus,
  type CreateContainerRequest,
  MonitorError,
  type OciResources,
} from '@wherry/monitor-api';
import { limits } from '../limits.ts';
import { WatchedProcess } from '../process/exit-watch.ts';
import { cgroupsOf } from './cgroup-of.ts';
import type { ContainerEnvironment } from './environment.ts';
import { recordExit } from './exit-record.ts';
import { folderOf } from './folder.ts';
import { OciCalls } from './oci-calls.ts';
import { type ContainerRecord, newRecord, nowNs, saveRecord } from './record.ts';
import { statusOf } from './status.ts';
import { ContainerStdio, heldPaths, makeFifos } from './stdio.ts';

const signalKill = 9;

/** One container: its first process, its streams, its record on disk. */
export class Container {
  readonly #environment: ContainerEnvironment;
  readonly #folder: string;
  readonly #record: ContainerRecord;
  readonly #oci: OciCalls;
  readonly #ended = Promise.withResolvers<void>();
  #process: WatchedProcess | null = null;
  #stdio: ContainerStdio | null = null;
  /** The start under way: its end is told before the container's. */
  #starting: Promise<void> = Promise.resolve();
  #removal: Promise<void> | null = null;

  private constructor(environment: ContainerEnvironment, record: ContainerRecord) {
    this.#environment = environment;
    this.#record = record;
    this.#folder = folderOf(environment.containersFolder, record.request.id);
    this.#oci = new OciCalls(environment, record.request, this.#folder);
  }

  /** Makes (and with `start` also starts) a container. On failure nothing of it stays behind. */
  static async create(
    environment: ContainerEnvironment,
    request: CreateContainerRequest,
  ): Promise<Container> {
    const container = new Container(environment, newRecord(request));
    mkdirSync(container.#folder, { recursive: true, mode: 0o700 });
    try {
      makeFifos(container.#folder, request);
      container.#save();
      await container.#launch();
      return container;
    } catch (error) {
      await container.#undo();
      throw error;
    }
  }

  /** Takes on a container that an earlier monitor made. Its record must be past `creating`. */
  static async adopt(environment: ContainerEnvironment, record: ContainerRecord): Promise<Container> {
    const container = new Container(environment, record);
    if (record.phase === 'created' || record.phase === 'running') await container.#takeOn();
    else container.#ended.resolve();
    return container;
  }

  get id(): string {
    return this.#record.request.id;
  }

  get request(): CreateContainerRequest {
    return this.#record.request;
  }

  get isRunning(): boolean {
    return this.#record.phase === 'running';
  }

  /** Whether its first process has not ended; false a little before `isRunning`, which waits for the last output. */
  get isAlive(): boolean {
    return this.#process?.isThere === true;
  }

  /** The streams, or null once it has ended. */
  get stdio(): ContainerStdio | null {
    return this.#stdio;
  }

  /** Id of the first process while the monitor answers for it. */
  get pid(): number | null {
    return this.#process?.identity.pid ?? null;
  }

  /** Settles once it has ended and its output is in the log. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  status(): ContainerStatus {
    return statusOf(this.#record, this.#stdio?.logWriteErrors ?? 0);
  }

  async start(): Promise<void> {
    const { phase } = this.#record;
    if (phase !== 'created') {
      throw new MonitorError('FAILED_PRECONDITION', `container "${this.id}" is ${phase}, not created`);
    }
    const started = this.#oci.start().then(() => this.#started());
    this.#starting = started.catch(() => {});
    await started;
  }

  /** Sends a signal to the first process, or to all of the container's cgroup. A container that has ended is fine. */
  kill(signal: number, all: boolean): void {
    this.#process?.signal(signal);
    if (!all) return;
    const pids = processesOf(this.#cgroupFolders());
    // A group with this process inside is no container's.
    if (!pids.includes(process.pid)) for (const pid of pids) killQuietly(pid, signal);
  }

  /** Changes its limits. */
  update(resources: OciResources): Promise<void> {
    return this.#oci.update(resources);
  }

  /** Goes on in a new log file. Fine for a container that has ended: nothing more is logged. */
  async reopenLog(): Promise<void> {
    await this.#stdio?.reopenLog();
  }

  /** Ends it with SIGKILL if it still runs, and takes it away from the OCI runtime and from disk. */
  remove(force: boolean): Promise<void> {
    if (this.#process && !force) {
      const advice = 'stop it first, or use force';
      throw new MonitorError('FAILED_PRECONDITION', `container "${this.id}" still runs; ${advice}`);
    }
    this.#removal ??= this.#remove().finally(() => {
      this.#removal = null;
    });
    return this.#removal;
  }

  /** Closes stdin for good. With a terminal nothing happens. */
  closeStdin(): void {
    if (this.request.terminal || !this.#record.stdinOpen) return;
    this.#record.stdinOpen = false;
    this.#save();
    this.#stdio?.endStdin();
    this.#environment.holds.releaseStdin(this.id);
  }

  /** Lets go of everything while the container runs on, for the next monitor to take. */
  async abandon(): Promise<void> {
    this.#process?.abandon();
    await this.#stdio?.close();
  }

  async #launch(): Promise<void> {
    const stdio = this.#openStdio();
    const pid = await this.#oci.launch(stdio);
    stdio.begin();
    this.#created(pid);
    if (this.request.start) this.#started();
  }

  #openStdio(): ContainerStdio {
    const { poller, logger, attachPatienceMs } = this.#environment;
    this.#stdio = new ContainerStdio({
      folder: this.#folder,
      request: this.request,
      poller,
      attachPatienceMs,
      onLogError: (error) => logger.error('a container log cannot be written', { container: this.id, error }),
    });
    return this.#stdio;
  }

  #created(pid: number): void {
    const { poller, cgroups } = this.#environment;
    const watched = WatchedProcess.open({ pid, poller });
    if (!watched)
      throw new MonitorError('INTERNAL', `process ${pid} of "${this.id}" was reaped by somebody else`);
    this.#record.process = watched.identity;
    this.#record.cgroups = cgroupsOf(cgroups, this.request.bundle, pid);
    this.#record.createdAtNs = nowNs();
    this.#record.phase = 'created';
    this.#watch(watched);
    this.#save();
    this.#tell('created');
  }

  #started(): void {
    this.#record.startedAtNs = nowNs();
    this.#record.phase = 'running';
    this.#save();
    this.#tell('started');
  }

  #watch(watched: WatchedProcess): void {
    this.#process = watched;
    this.#environment.holds.hold({
      containerId: this.id,
      process: watched.identity,
      ...heldPaths(this.#folder, this.request),
      ...(this.#record.stdinOpen ? {} : { writePaths: [] }),
      terminalDescriptor: this.#stdio?.terminal ?? null,
    });
    void watched.exited.then((exitCode) => this.#finish(exitCode, nowNs()));
  }

  async #takeOn(): Promise<void> {
    const identity = this.#record.process!;
    const { poller, holds, exitSeenElsewhere: elsewhere } = this.#environment;
    const watched = WatchedProcess.open({ pid: identity.pid, identity, poller, elsewhere });
    const stdio = this.#openStdio();
    if (!this.request.terminal) stdio.openPipes({ stdin: this.#record.stdinOpen, existing: true });
    stdio.begin();
    if (watched && !this.request.terminal) return this.#watch(watched);
    // Only a holder has the terminal, or knows how a process ended that is gone.
    const returned = await holds.takeReturned(this.id);
    if (returned?.terminal != null) stdio.openTerminal(returned.terminal);
    stdio.begin();
    if (watched) this.#watch(watched);
    else void this.#finish(returned?.exit?.exitCode ?? null, returned?.exit?.finishedAtNs ?? nowNs());
  }

  async #finish(exitCode: number | null, finishedAtNs: bigint): Promise<void> {
    const { logger, holds } = this.#environment;
    const exit = { exitCode, finishedAtNs, outOfMemory: false };
    try {
      const folders = this.#cgroupFolders();
      exit.outOfMemory = readOutOfMemoryKills(folders) > 0;
      if (this.request.killLeftovers) killGroup(folders);
      await this.#stdio?.finish(limits.containerDrainMs);
    } catch (error) {
      logger.error('the end of a container could not be handled whole', { container: this.id, error });
    }
    await this.#starting;
    recordExit(this.#record, exit);
    this.#record.logWriteErrors += this.#stdio?.logWriteErrors ?? 0;
    this.#process = null;
    this.#stdio = null;
    this.#save();
    holds.release(this.id);
    this.#ended.resolve();
    this.#tell('exited');
  }

  async #remove(): Promise<void> {
    this.kill(signalKill, true);
    await this.#ended.promise;
    await this.#oci.delete(() => killGroup(this.#cgroupFolders()));
    rmSync(this.#folder, { recursive: true, force: true });
    this.#environment.holds.release(this.id);
    this.#tell('deleted');
  }

  async #undo(): Promise<void> {
    this.#process?.abandon();
    await this.#stdio?.close();
    await this.#oci.delete(() => {}).catch(() => {});
    this.#environment.holds.release(this.id);
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #cgroupFolders() {
    return parseProcessCgroups(this.#environment.cgroups, this.#record.cgroups);
  }

  #save(): void {
    saveRecord(this.#folder, this.#record);
  }

  #tell(type: ContainerEventType): void {
    this.#environment.onEvent(type, this.status());
  }
}

function killQuietly(pid: number, signal: number): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended in between.
  }
}
