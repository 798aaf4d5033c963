import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  closeDescriptor,
  killGroup,
  parseProcessCgroups,
  processesOf,
  readOutOfMemoryKills,
} from '@wherry/linux';
import {
  type ContainerEventType,
  type ContainerStatus,
  type CreateContainerRequest,
  MonitorError,
  type OciResources,
} from '@wherry/monitor-api';
import { nowNs } from '../fine-clock.ts';
import { InputHolder } from '../keeper/input-holder.ts';
import { Keeper, makeKeeperPipe } from '../keeper/keeper.ts';
import { limits } from '../limits.ts';
import { WatchedProcess } from '../process/exit-watch.ts';
import type { OciLaunch } from '../process/oci-runtime.ts';
import { cgroupsOf } from './cgroup-of.ts';
import type { ContainerDependencies } from './dependencies.ts';
import { type ContainerExit, recordExit } from './exit-record.ts';
import { folderOf } from './folder.ts';
import { OciCalls } from './oci-calls.ts';
import { bootId, type ContainerRecord, newRecord, saveRecord } from './record.ts';
import { statusOf } from './status.ts';
import { ContainerStdio, makeFifos, openHeld } from './stdio.ts';

const signalKill = 9;

/** One container: its first process, its streams, its record on disk. */
export class Container {
  readonly #dependencies: ContainerDependencies;
  readonly #folder: string;
  readonly #record: ContainerRecord;
  readonly #oci: OciCalls;
  readonly #ended = Promise.withResolvers<void>();
  #process: WatchedProcess | null = null;
  #keeper: Keeper | null = null;
  #inputHolder: InputHolder | null = null;
  #stdio: ContainerStdio | null = null;
  /** The start under way: its end is told before the container's. */
  #starting: Promise<void> = Promise.resolve();
  #removal: Promise<void> | null = null;

  private constructor(dependencies: ContainerDependencies, record: ContainerRecord) {
    this.#dependencies = dependencies;
    this.#record = record;
    this.#folder = folderOf(dependencies.containersFolder, record.request.id);
    this.#oci = new OciCalls(dependencies, record.request, this.#folder);
  }

  /** Makes (and with `start` also starts) a container. On failure nothing of it stays behind. */
  static async create(
    dependencies: ContainerDependencies,
    request: CreateContainerRequest,
  ): Promise<Container> {
    const container = new Container(dependencies, newRecord(request));
    mkdirSync(container.#folder, { recursive: true, mode: 0o700 });
    try {
      makeFifos(container.#folder, request);
      makeKeeperPipe(container.#keeperPath);
      container.#save();
      await container.#launch();
      return container;
    } catch (error) {
      await container.#undo();
      throw error;
    }
  }

  /**
   * Takes on a container that an earlier monitor made, or was making: then its OCI runtime is waited for. Null when that
   * has failed, of which nothing stays behind. Rejects when it cannot be taken on; then it may be tried again.
   */
  static async adopt(
    dependencies: ContainerDependencies,
    record: ContainerRecord,
  ): Promise<Container | null> {
    const container = new Container(dependencies, record);
    try {
      if (record.phase === 'creating') return (await container.#takeOnCreation()) ? container : null;
      if (record.phase === 'exited' || record.phase === 'unknown') container.#ended.resolve();
      else await container.#takeOn();
      return container;
    } catch (error) {
      await container.abandon();
      throw error;
    }
  }

  /** For a container that cannot be taken on: ends its processes, so that none is without an owner, and says so. */
  static async giveUp(
    dependencies: ContainerDependencies,
    record: ContainerRecord,
    reason: string,
  ): Promise<Container> {
    const container = new Container(dependencies, record);
    const identity = record.bootId === bootId() ? record.process : null;
    if (identity)
      WatchedProcess.open({ pid: identity.pid, identity, tools: dependencies })?.signal(signalKill);
    container.kill(signalKill, true);
    (await Keeper.find(container.#keeperPath, dependencies))?.end(null);
    const unseen = `the container could not be taken on by a new monitor, and was killed: ${reason}`;
    recordExit(record, {
      exitCode: null,
      finishedAtNs: nowNs(dependencies.clock),
      outOfMemory: false,
      unseen,
    });
    container.#ended.resolve();
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

  /** The processes that keep it for later monitors. */
  get keptBy(): number[] {
    return [this.#keeper, this.#inputHolder].flatMap((keeper) => (keeper ? [keeper.identity.pid] : []));
  }

  /** Settles once it has ended and its output is in the log. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  status(): ContainerStatus {
    return statusOf(this.#record, this.#stdio);
  }

  async start(): Promise<void> {
    const { phase } = this.#record;
    if (phase !== 'created') {
      throw new MonitorError('FAILED_PRECONDITION', `container "${this.id}" is ${phase}, not created`);
    }
    const started = this.#callStart();
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
    this.#inputHolder?.end();
  }

  /** Lets go of everything while the container runs on, for the next monitor to take. */
  async abandon(): Promise<void> {
    this.#process?.abandon();
    this.#keeper?.abandon();
    this.#inputHolder?.abandon();
    await this.#stdio?.close();
  }

  get #keeperPath(): string {
    return join(this.#folder, 'keeper');
  }

  async #launch(): Promise<void> {
    const stdio = this.#openStdio();
    const pid = await this.#oci.launch(stdio, (launch) => this.#keep(launch));
    this.#holdInput();
    stdio.begin();
    this.#created(pid);
    if (this.request.start) this.#started();
  }

  #keep(launch: OciLaunch): Keeper {
    this.#holdInput();
    const { keeperProgram: program } = this.#dependencies;
    const held = openHeld(this.#folder, this.request);
    try {
      this.#keeper = Keeper.start(
        { program, path: this.#keeperPath, held, tools: this.#dependencies },
        launch,
      );
      return this.#keeper;
    } finally {
      for (const descriptor of held) closeDescriptor(descriptor);
    }
  }

  #holdInput(): void {
    const descriptor = this.#stdio?.heldInput ?? null;
    if (descriptor === null || this.#inputHolder) return;
    const { keeperProgram } = this.#dependencies;
    this.#inputHolder = InputHolder.start(keeperProgram, descriptor, this.#dependencies);
    this.#record.inputHolder = this.#inputHolder.identity;
    this.#save();
  }

  #openStdio(): ContainerStdio {
    const { poller, clock, logger, attachPatienceMs } = this.#dependencies;
    this.#stdio = new ContainerStdio({
      folder: this.#folder,
      request: this.request,
      poller,
      clock,
      attachPatienceMs,
      onLogError: (error) => logger.error('a container log cannot be written', { container: this.id, error }),
    });
    return this.#stdio;
  }

  #created(pid: number): void {
    const { cgroups } = this.#dependencies;
    const watched = WatchedProcess.open({ pid, tools: this.#dependencies, elsewhere: this.#keptCode });
    if (!watched)
      throw new MonitorError('INTERNAL', `process ${pid} of "${this.id}" was reaped by somebody else`);
    this.#record.process = watched.identity;
    this.#record.cgroups = cgroupsOf(cgroups, this.request.bundle, pid);
    this.#record.createdAtNs = this.#nowNs();
    this.#record.phase = 'created';
    this.#watch(watched);
    this.#save();
    this.#tell('created');
  }

  async #callStart(): Promise<void> {
    this.#setPhase('starting');
    try {
      await this.#oci.start();
    } catch (error) {
      // A monitor that was killed in the middle may have started it.
      if (!isStartedAlready(error)) {
        this.#setPhase('created');
        throw error;
      }
    }
    this.#started();
  }

  #started(): void {
    this.#record.startedAtNs = this.#nowNs();
    this.#record.phase = 'running';
    this.#save();
    this.#tell('started');
  }

  #watch(watched: WatchedProcess): void {
    this.#process = watched;
    void watched.exited.then((exitCode) => this.#finish(exitCode));
  }

  readonly #keptCode = (pid: number): number | null => this.#keeper?.exitOf(pid)?.exitCode ?? null;

  /** The monitor before ended while its OCI runtime was at work, which goes on under the keeper. */
  async #takeOnCreation(): Promise<boolean> {
    const { logger } = this.#dependencies;
    this.#keeper = this.#isOfThisBoot ? await Keeper.find(this.#keeperPath, this.#dependencies) : null;
    const hasCome = (await this.#keeper?.runtimeEnded()) === 0;
    // A terminal went to the monitor before, and with it.
    if (!hasCome || this.request.terminal) {
      logger.warn('removing a container that was never finished', { container: this.id });
      await this.#undo();
      return false;
    }
    this.#takeOnInput();
    this.#openStdio().openPipes({ stdin: this.#record.stdinOpen, existing: true });
    this.#stdio?.begin();
    this.#created(this.#oci.launchedPid());
    if (this.request.start) this.#started();
    return true;
  }

  async #takeOn(): Promise<void> {
    const identity = this.#record.process!;
    if (!this.#isOfThisBoot) {
      void this.#finish(null, 'the machine was restarted while the container ran');
      return;
    }
    this.#keeper = await Keeper.find(this.#keeperPath, this.#dependencies);
    const elsewhere = this.#keptCode;
    const tools = this.#dependencies;
    const watched = WatchedProcess.open({ pid: identity.pid, identity, tools, elsewhere });
    this.#takeOnInput();
    const stdio = this.#openStdio();
    if (!this.request.terminal) stdio.openPipes({ stdin: this.#record.stdinOpen, existing: true });
    else if (this.#inputHolder) stdio.openTerminal(this.#inputHolder.copy());
    stdio.begin();
    if (this.#record.phase === 'starting' && watched) await this.#callStart();
    if (watched) this.#watch(watched);
    else void this.#finish(this.#keptCode(identity.pid));
  }

  #takeOnInput(): void {
    const { inputHolder } = this.#record;
    this.#inputHolder = inputHolder && InputHolder.find(inputHolder, this.#dependencies);
  }

  get #isOfThisBoot(): boolean {
    return this.#record.bootId === bootId();
  }

  async #finish(exitCode: number | null, unseen?: string): Promise<void> {
    const { logger } = this.#dependencies;
    const pid = this.#record.process?.pid ?? 0;
    const seenAtNs = this.#keeper?.exitOf(pid)?.finishedAtNs ?? this.#nowNs();
    // A short command may end before the OCI runtime has said that it started it.
    const { startedAtNs } = this.#record;
    const finishedAtNs = seenAtNs > startedAtNs ? seenAtNs : startedAtNs;
    const exit: ContainerExit = { exitCode, finishedAtNs, outOfMemory: false, ...(unseen && { unseen }) };
    try {
      const folders = this.#cgroupFolders();
      exit.outOfMemory = readOutOfMemoryKills(folders) > 0;
      if (this.request.killLeftovers) killGroup(folders);
      await this.#stdio?.finish(limits.containerDrainMs);
    } catch (error) {
      logger.error('the end of a container could not be handled whole', { container: this.id, error });
    }
    await this.#starting;
    this.#record.logWriteErrors += this.#stdio?.logWriteErrors ?? 0;
    this.#record.lostLogBytes += this.#stdio?.lostLogBytes ?? 0;
    recordExit(this.#record, exit);
    this.#process = null;
    this.#stdio = null;
    this.#save();
    this.#endKeepers(pid);
    this.#ended.resolve();
    this.#tell('exited');
  }

  async #remove(): Promise<void> {
    this.kill(signalKill, true);
    await this.#ended.promise;
    await this.#oci.delete(() => killGroup(this.#cgroupFolders()));
    rmSync(this.#folder, { recursive: true, force: true });
    this.#tell('deleted');
  }

  #endKeepers(pid: number | null): void {
    this.#inputHolder?.end();
    this.#keeper?.end(pid);
    this.#inputHolder = null;
    this.#keeper = null;
  }

  /** What cannot be undone now keeps its folder, for the next monitor to try again. */
  async #undo(): Promise<void> {
    this.#process?.abandon();
    await this.#stdio?.close();
    try {
      await this.#oci.delete(() => {});
      rmSync(this.#folder, { recursive: true, force: true });
    } catch (error) {
      this.#dependencies.logger.error('a container that failed could not be removed', {
        container: this.id,
        error,
      });
    }
    this.#endKeepers(null);
  }

  #cgroupFolders() {
    return parseProcessCgroups(this.#dependencies.cgroups, this.#record.cgroups);
  }

  #setPhase(phase: ContainerRecord['phase']): void {
    this.#record.phase = phase;
    this.#save();
  }

  #nowNs(): bigint {
    return nowNs(this.#dependencies.clock);
  }

  #save(): void {
    saveRecord(this.#folder, this.#record);
  }

  #tell(type: ContainerEventType): void {
    this.#dependencies.onEvent(type, this.status());
  }
}

/** runc's and crun's words for a start of what is not waiting for one. */
const isStartedAlready = (error: unknown): boolean =>
  /already running container|that has stopped|not in .?created.? state/.test(String(error));

function killQuietly(pid: number, signal: number): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended in between.
  }
}
