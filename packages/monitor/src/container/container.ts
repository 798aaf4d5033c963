import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  ConsoleSocket,
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
import { limits } from '../limits.ts';
import { receiveTerminal } from '../process/exec-process.ts';
import { WatchedProcess } from '../process/exit-watch.ts';
import { readPidFile } from '../process/oci-arguments.ts';
import { cgroupsOf } from './cgroup-of.ts';
import type { ContainerEnvironment } from './environment.ts';
import { type ContainerRecord, newRecord, nowNs, saveRecord } from './record.ts';
import { ContainerStdio, heldPaths, makeFifos } from './stdio.ts';

const signalKill = 9;
const unknownExitCode = 255;

/** One container: its first process, its streams, its record on disk. */
export class Container {
  readonly #environment: ContainerEnvironment;
  readonly #folder: string;
  readonly #record: ContainerRecord;
  #process: WatchedProcess | null = null;
  #stdio: ContainerStdio | null = null;
  readonly #ended = Promise.withResolvers<void>();
  #removal: Promise<void> | null = null;

  private constructor(environment: ContainerEnvironment, record: ContainerRecord) {
    this.#environment = environment;
    this.#record = record;
    this.#folder = folderOf(environment, record.request.id);
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
    const { request, phase, process, createdAtNs, startedAtNs, finishedAtNs } = this.#record;
    const { exitCode, reason, message, oomKilled } = this.#record;
    const { id, sandboxId, bundle, terminal, stdin, stdinOnce, logPath } = request;
    return {
      ...{ id, sandboxId, bundle, terminal, stdin, stdinOnce, logPath },
      state: phase === 'creating' ? 'created' : phase,
      pid: process?.pid ?? 0,
      ...{ createdAtNs, startedAtNs, finishedAtNs, exitCode, reason, message, oomKilled },
      logWriteErrors: this.#stdio?.logWriteErrors ?? 0,
    };
  }

  async start(): Promise<void> {
    if (this.#record.phase !== 'created') {
      throw new MonitorError(
        'failed_precondition',
        `container "${this.id}" is ${this.#record.phase}, not created`,
      );
    }
    await this.#oci(['start', this.id]);
    this.#started();
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
  async update(resources: OciResources): Promise<void> {
    const path = join(this.#folder, 'resources.json');
    writeFileSync(path, JSON.stringify(resources));
    await this.#oci(['update', '--resources', path, this.id]);
  }

  /** Goes on in a new log file. Fine for a container that has ended: nothing more is logged. */
  async reopenLog(): Promise<void> {
    await this.#stdio?.reopenLog();
  }

  /** Ends it with SIGKILL if it still runs, and takes it away from the OCI runtime and from disk. */
  remove(force: boolean): Promise<void> {
    if (this.#process && !force) {
      const advice = 'stop it first, or use force';
      throw new MonitorError('failed_precondition', `container "${this.id}" still runs; ${advice}`);
    }
    this.#removal ??= this.#remove().finally(() => {
      this.#removal = null;
    });
    return this.#removal;
  }

  async #remove(): Promise<void> {
    this.kill(signalKill, true);
    await this.#ended.promise;
    await this.#deleteFromRuntime();
    rmSync(this.#folder, { recursive: true, force: true });
    this.#environment.holds.release(this.id);
    this.#tell('deleted');
  }

  /** What still dies in the control group (a process in the middle of a long system call) makes the runtime fail. */
  async #deleteFromRuntime(): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        await this.#oci(['delete', '--force', this.id]);
        return;
      } catch (error) {
        if (/does not exist/.test(String(error))) return;
        if (attempt === limits.deleteAttempts) throw error;
        killGroup(this.#cgroupFolders());
        await delay(limits.deleteRetryMs);
      }
    }
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
    const { request } = this;
    const stdio = this.#openStdio();
    const pidPath = join(this.#folder, 'pid');
    const verb = request.start ? ['run', '--detach'] : ['create'];
    const command = [...verb, '--bundle', request.bundle, '--pid-file', pidPath];
    if (request.terminal) await this.#launchWithTerminal(stdio, command);
    else await this.#launchWithPipes(stdio, command);
    stdio.begin();
    this.#created(readPidFile(pidPath));
    if (request.start) this.#started();
  }

  async #launchWithPipes(stdio: ContainerStdio, command: string[]): Promise<void> {
    const theirs = stdio.openPipes({ stdin: this.request.stdin });
    const release = () => {
      for (const descriptor of theirs.splice(0)) if (descriptor !== 'ignore') closeDescriptor(descriptor);
    };
    const [stdin = 'ignore', stdout = 'ignore', stderr = 'ignore'] = theirs;
    try {
      await this.#oci([...command, this.id], { stdio: [stdin, stdout, stderr], onSpawned: release });
    } finally {
      release();
    }
  }

  async #launchWithTerminal(stdio: ContainerStdio, command: string[]): Promise<void> {
    const { socketFolder, poller } = this.#environment;
    const console = new ConsoleSocket(join(socketFolder, `c-${process.pid}-${nextConsole++}`), poller);
    try {
      await this.#oci([...command, '--console-socket', console.path, this.id]);
      stdio.openTerminal(await receiveTerminal(console));
    } finally {
      console.close();
    }
  }

  #openStdio(): ContainerStdio {
    const { poller, logger } = this.#environment;
    this.#stdio = new ContainerStdio({
      folder: this.#folder,
      request: this.request,
      poller,
      onLogError: (error) => logger.error('a container log cannot be written', { container: this.id, error }),
    });
    return this.#stdio;
  }

  #created(pid: number): void {
    const watched = WatchedProcess.open({ pid, poller: this.#environment.poller });
    if (!watched)
      throw new MonitorError('internal', `the first process of "${this.id}" was reaped by somebody else`);
    this.#record.process = watched.identity;
    this.#record.cgroups = cgroupsOf(this.#environment.cgroups, this.request.bundle, pid);
    this.#record.createdAtNs = nowNs();
    this.#record.phase = 'created';
    this.#watch(watched);
    this.#save();
    this.#tell('created');
  }

  #started(): void {
    this.#record.startedAtNs = nowNs();
    // It may have ended before the OCI runtime did; the watch tells that later, in its turn.
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
    const { poller, holds, exitSeenElsewhere } = this.#environment;
    const watched = WatchedProcess.open({
      pid: identity.pid,
      identity,
      poller,
      elsewhere: exitSeenElsewhere,
    });
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
    try {
      const folders = this.#cgroupFolders();
      const outOfMemory = readOutOfMemoryKills(folders) > 0 && exitCode !== 0;
      if (this.request.killLeftovers) killGroup(folders);
      await this.#stdio?.finish(limits.containerDrainMs);
      this.#recordExit({ exitCode, finishedAtNs, outOfMemory });
    } catch (error) {
      logger.error('the end of a container could not be handled whole', { container: this.id, error });
      this.#recordExit({ exitCode, finishedAtNs, outOfMemory: false });
    }
    this.#process = null;
    this.#stdio = null;
    this.#save();
    holds.release(this.id);
    this.#ended.resolve();
    this.#tell('exited');
  }

  #recordExit(exit: { exitCode: number | null; finishedAtNs: bigint; outOfMemory: boolean }): void {
    const record = this.#record;
    record.phase = exit.exitCode === null ? 'unknown' : 'exited';
    record.exitCode = exit.exitCode ?? unknownExitCode;
    record.finishedAtNs = exit.finishedAtNs;
    record.oomKilled = exit.outOfMemory;
    if (exit.exitCode === null) {
      record.reason = 'Unknown';
      record.message = 'the container ended while no monitor and no holder was there to see how';
    } else {
      record.reason = exit.outOfMemory ? 'OOMKilled' : exit.exitCode === 0 ? 'Completed' : 'Error';
    }
  }

  async #undo(): Promise<void> {
    this.#process?.abandon();
    await this.#stdio?.close();
    await this.#oci(['delete', '--force', this.id]).catch(() => {});
    this.#environment.holds.release(this.id);
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #oci(
    words: string[],
    more: { stdio?: [number | 'ignore', number | 'ignore', number | 'ignore']; onSpawned?: () => void } = {},
  ): Promise<void> {
    const { ociRuntime } = this.request;
    const runtime = ociRuntime
      ? this.#environment.runtime.withProgram(ociRuntime)
      : this.#environment.runtime;
    return runtime.call({ arguments: words, logPath: join(this.#folder, `oci-${words[0]}.log`), ...more });
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

let nextConsole = 1;

/** Where a container's record and FIFOs lie. Throws on an id that is no plain file name. */
export function folderOf(environment: Pick<ContainerEnvironment, 'containersFolder'>, id: string): string {
  if (!/^[\w+.-]+$/.test(id) || id.startsWith('.')) {
    throw new MonitorError(
      'invalid_argument',
      `container id "${id}" must be letters, digits, "_", "+", "-", "."`,
    );
  }
  return join(environment.containersFolder, id);
}

function killQuietly(pid: number, signal: number): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended in between.
  }
}
