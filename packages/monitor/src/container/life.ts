import { currentBoot, foldersAt, killGroup, parseProcessCgroups, readOutOfMemoryKills } from '@wherry/linux';
import {
  type ContainerEventType,
  type ContainerStatus,
  type CreateContainerRequest,
  MonitorError,
} from '@wherry/monitor-api';
import { nowNs } from '../fine-clock.ts';
import { limits } from '../limits.ts';
import { WatchedProcess } from '../process/exit-watch.ts';
import { BundleGroup } from './cgroup-of.ts';
import type { ContainerDependencies } from './dependencies.ts';
import { type ContainerExit, recordExit } from './exit-record.ts';
import { folderOf } from './folder.ts';
import { Keeping } from './keeping.ts';
import { NotedRecord } from './noted-record.ts';
import { OciCalls } from './oci-calls.ts';
import { isThere, killsAbove, OutOfMemoryWatch } from './oom-watch.ts';
import type { ContainerRecord } from './record.ts';
import { statusOf } from './status.ts';
import { ContainerStdio } from './streams/stdio.ts';

/** Of a process that SIGKILL ended. */
const killedExitCode = 137;

/** One container from its creation to its end: what it is made of, and what becomes of its record. */
export class ContainerLife {
  readonly dependencies: ContainerDependencies;
  readonly folder: string;
  readonly record: ContainerRecord;
  readonly oci: OciCalls;
  readonly keeping: Keeping;
  readonly noted: NotedRecord;
  readonly #group: BundleGroup;
  readonly #ended = Promise.withResolvers<void>();
  #process: WatchedProcess | null = null;
  #memory: OutOfMemoryWatch | null = null;
  #stdio: ContainerStdio | null = null;
  /** The start under way: its end is told before the container's. */
  #starting: Promise<void> = Promise.resolve();

  constructor(dependencies: ContainerDependencies, record: ContainerRecord) {
    this.dependencies = dependencies;
    this.record = record;
    this.folder = folderOf(dependencies.containersFolder, record.request.id);
    const { request } = record;
    this.#group = new BundleGroup(request.bundle);
    this.oci = new OciCalls(dependencies, { request, folder: this.folder, group: this.#group });
    this.keeping = new Keeping(dependencies, this.folder);
    const { clock, logger } = dependencies;
    this.noted = new NotedRecord({ folder: this.folder, record, clock, logger });
  }

  get request(): CreateContainerRequest {
    return this.record.request;
  }

  /** The first process, until its end was handled. */
  get process(): WatchedProcess | null {
    return this.#process;
  }

  /** The streams, or null once it has ended. */
  get stdio(): ContainerStdio | null {
    return this.#stdio;
  }

  /** Settles once it has ended and its output is in the log. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  get isOfThisBoot(): boolean {
    return this.record.bootId === currentBoot();
  }

  status(): ContainerStatus {
    return statusOf(this.record, this.#stdio);
  }

  cgroupFolders() {
    return parseProcessCgroups(this.dependencies.cgroups, this.record.cgroups);
  }

  tell(type: ContainerEventType): void {
    this.dependencies.onEvent(type, this.status());
  }

  openStdio(): ContainerStdio {
    const { poller, clock, scratch, logger, attachPatienceMs } = this.dependencies;
    const container = this.request.id;
    this.#stdio = new ContainerStdio({
      folder: this.folder,
      request: this.request,
      poller,
      clock,
      scratch,
      attachPatienceMs,
      onLogError: (error) => logger.error('a container log cannot be written', { container, error }),
    });
    return this.#stdio;
  }

  /** Has a process hold what must stay open for the input to go on, unless one does. */
  holdInput(): void {
    const descriptor = this.#stdio?.heldInput ?? null;
    const identity = descriptor === null ? null : this.keeping.holdInput(descriptor);
    if (!identity) return;
    this.record.inputHolder = identity;
    this.noted.save();
  }

  /** It is about to be made: what is looked at afterwards is noted as it is before. */
  beforeLaunch(): void {
    const path = this.#group.asksSystemd ? this.#group.path : undefined;
    if (path !== undefined) this.record.killsAbove = killsAbove(foldersAt(this.dependencies.cgroups, path));
  }

  /** The OCI runtime has created it, and started it in the same call if so asked: `pid` is its first process. */
  created(pid: number): void {
    const watched = this.openProcess(pid);
    if (!watched)
      throw new MonitorError(
        'INTERNAL',
        `process ${pid} of "${this.request.id}" was reaped by somebody else`,
      );
    this.record.process = watched.identity;
    this.record.cgroups = this.#group.foldersOf(this.dependencies.cgroups, pid);
    this.record.createdAtNs = this.#nowNs();
    this.record.phase = 'created';
    this.watch(watched);
    const { start } = this.request;
    if (start) this.#nowRunning();
    this.noted.save();
    this.tell('created');
    if (start) this.tell('started');
  }

  /** Asks the OCI runtime to start what it created; `again` when an earlier monitor has, whose call may still be at work. */
  start({ again = false } = {}): Promise<void> {
    const started = this.#callStart(again);
    this.#starting = started.catch(() => {});
    return started;
  }

  started(): void {
    this.#nowRunning();
    this.noted.note();
    this.tell('started');
  }

  #nowRunning(): void {
    this.record.startedAtNs = this.#nowNs();
    this.record.phase = 'running';
  }

  /** Takes hold of the first process; null when it is gone. */
  openProcess(pid: number): WatchedProcess | null {
    const identity = this.record.process ?? undefined;
    const elsewhere = (ended: number) => this.keeping.exitOf(ended)?.exitCode ?? null;
    return WatchedProcess.open({ pid, tools: this.dependencies, elsewhere, ...(identity && { identity }) });
  }

  /** From now on the end of the process is the container's. */
  watch(watched: WatchedProcess): void {
    this.#process = watched;
    if (this.#group.asksSystemd) {
      const { poller } = this.dependencies;
      const { killsAbove: killsAboveBefore } = this.record;
      this.#memory = new OutOfMemoryWatch(this.cgroupFolders(), { poller, killsAboveBefore });
    }
    void watched.exited.then((exitCode) => this.finish(exitCode));
  }

  /** The first process has ended, with that code (null: nobody could see it): the rest of its output, then its record. */
  async finish(exitCode: number | null, unseen?: string): Promise<void> {
    const { logger } = this.dependencies;
    const pid = this.record.process?.pid ?? 0;
    const seenAtNs = this.keeping.exitOf(pid)?.finishedAtNs ?? this.#nowNs();
    const exit: ContainerExit = {
      ...{ exitCode, finishedAtNs: seenAtNs, outOfMemory: false },
      ...(unseen && { unseen }),
    };
    try {
      const folders = this.cgroupFolders();
      exit.outOfMemory = await this.#wasKilledForMemory(exitCode);
      if (this.request.killLeftovers) killGroup(folders);
      await this.#stdio?.finish(limits.containerDrainMs);
    } catch (error) {
      logger.error('the end of a container could not be handled whole', {
        container: this.request.id,
        error,
      });
    }
    await this.#starting;
    // A short command may end before the OCI runtime has said that it started it.
    const { startedAtNs } = this.record;
    if (exit.finishedAtNs < startedAtNs) exit.finishedAtNs = startedAtNs;
    this.record.logWriteErrors += this.#stdio?.logWriteErrors ?? 0;
    this.record.lostLogBytes += this.#stdio?.lostLogBytes ?? 0;
    recordExit(this.record, exit);
    this.#process = null;
    this.#stdio = null;
    // As long as the record does not say how it ended, its keeper does.
    this.noted.noteAtLast(() => this.keeping.end(pid));
    this.#ended.resolve();
    this.tell('exited');
  }

  /** Its record says that it is over: nothing of it is to be waited for. */
  isOver(): void {
    this.#ended.resolve();
  }

  /** Stops watching the process; it goes on. */
  letGo(): void {
    this.#process?.abandon();
    this.#memory?.close();
    this.noted.letGo();
  }

  async #wasKilledForMemory(exitCode: number | null): Promise<boolean> {
    const [folders, memory] = [this.cgroupFolders(), this.#memory];
    const isTold = readOutOfMemoryKills(folders) > 0;
    if (isTold || exitCode !== killedExitCode || isThere(folders)) {
      memory?.close();
      return isTold;
    }
    return (await memory?.end(this.dependencies.clock)) ?? false;
  }

  async #callStart(again: boolean): Promise<void> {
    // Kept for a monitor that comes when the process has run and ended: no better time is known then.
    this.record.startedAtNs = this.#nowNs();
    this.record.phase = 'starting';
    try {
      this.noted.save();
      await this.oci.start();
    } catch (error) {
      // A monitor that was killed in the middle may have started it.
      if (!isStartedAlready(error) && !(again && isOvertaken(error))) {
        this.record.startedAtNs = 0n;
        this.record.phase = 'created';
        this.noted.note();
        throw error;
      }
    }
    this.started();
  }

  #nowNs(): bigint {
    return nowNs(this.dependencies.clock);
  }
}

/** runc's and crun's words for a start of what is not waiting for one. */
const isStartedAlready = (error: unknown): boolean =>
  /already running container|that has stopped|not in .?created.? state/.test(String(error));
/** And for one that another start has overtaken meanwhile. */
const isOvertaken = (error: unknown): boolean =>
  /exec fifo: .*no such file|process is already dead/.test(String(error));
