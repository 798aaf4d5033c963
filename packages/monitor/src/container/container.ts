import { rmSync } from 'node:fs';
import { killGroup, processesOf, signalById } from '@wherry/linux';
import {
  type CheckpointFolders,
  type ContainerStatus,
  type CreateContainerRequest,
  MonitorError,
  type OciResources,
} from '@wherry/monitor-api';
import { Standstill } from '../checkpoint/standstill.ts';
import { adopt, giveUp } from './adoption.ts';
import { create } from './creation.ts';
import type { ContainerDependencies } from './dependencies.ts';
import { ContainerLife } from './life.ts';
import { type ContainerRecord, newRecord } from './record.ts';
import type { ContainerStdio } from './streams/stdio.ts';

const signalKill = 9;

/** One container: its first process, its streams, its record on disk. */
export class Container {
  readonly #life: ContainerLife;
  readonly #standstill: Standstill;
  #removal: Promise<void> | null = null;

  private constructor(dependencies: ContainerDependencies, record: ContainerRecord) {
    this.#life = new ContainerLife(dependencies, record);
    this.#standstill = new Standstill(this.#life);
  }

  /** Makes (and with `start` also starts) a container. On failure nothing of it stays behind. */
  static async create(
    dependencies: ContainerDependencies,
    request: CreateContainerRequest,
  ): Promise<Container> {
    const container = new Container(dependencies, newRecord(request));
    await create(container.#life);
    return container;
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
      if (!(await adopt(container.#life))) return null;
      container.#standstill.takeOn();
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
    await giveUp(container.#life, () => container.kill(signalKill, true), reason);
    return container;
  }

  get id(): string {
    return this.#life.request.id;
  }

  get request(): CreateContainerRequest {
    return this.#life.request;
  }

  get isRunning(): boolean {
    return this.#life.record.phase === 'running';
  }

  /** Whether its first process has not ended; false a little before `isRunning`, which waits for the last output. */
  get isAlive(): boolean {
    return this.#life.process?.isThere === true;
  }

  /** The streams, or null once it has ended. */
  get stdio(): ContainerStdio | null {
    return this.#life.stdio;
  }

  /** Id of the first process while the monitor answers for it. */
  get pid(): number | null {
    return this.#life.process?.identity.pid ?? null;
  }

  /** The processes that keep it for later monitors. */
  get keptBy(): number[] {
    return this.#life.keeping.pids;
  }

  /** Settles once it has ended and its output is in the log. */
  get ended(): Promise<void> {
    return this.#life.ended;
  }

  status(): ContainerStatus {
    return this.#life.status();
  }

  async start(): Promise<void> {
    const { phase } = this.#life.record;
    if (phase !== 'created')
      throw new MonitorError('FAILED_PRECONDITION', `container "${this.id}" is ${phase}, not created`);
    await this.#life.start();
  }

  /** Sends a signal to the first process, or to all of the container's cgroup. A container that has ended is fine. */
  kill(signal: number, all: boolean): void {
    this.#life.process?.signal(signal);
    if (!all) return;
    const pids = processesOf(this.#life.cgroupFolders());
    // A group with this process inside is no container's.
    if (!pids.includes(process.pid)) for (const pid of pids) signalById(pid, signal);
  }

  /** Changes its limits. */
  update(resources: OciResources): Promise<void> {
    return this.#life.oci.update(resources);
  }

  /** See `container.checkpoint`. */
  checkpoint(folders: CheckpointFolders, call: { signal: AbortSignal; written: () => void }): Promise<void> {
    return this.#standstill.checkpoint(folders, call);
  }

  /** See `container.resume`. */
  resume(): Promise<void> {
    return this.#standstill.end();
  }

  /** Goes on in a new log file. Fine for a container that has ended: nothing more is logged. */
  async reopenLog(): Promise<void> {
    await this.stdio?.reopenLog();
  }

  /** Ends it with SIGKILL if it still runs, and takes it away from the OCI runtime and from disk. */
  remove(force: boolean): Promise<void> {
    if (this.#life.process && !force) {
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
    const { record, keeping } = this.#life;
    if (this.request.terminal || !record.stdinOpen) return;
    record.stdinOpen = false;
    this.#life.noted.note();
    this.stdio?.endStdin();
    keeping.endInput();
  }

  /** Lets go of everything while the container runs on, for the next monitor to take. */
  async abandon(): Promise<void> {
    this.#standstill.abandon();
    this.#life.letGo();
    this.#life.keeping.abandon();
    await this.stdio?.close();
  }

  async #remove(): Promise<void> {
    const { oci, folder } = this.#life;
    this.kill(signalKill, true);
    await this.#standstill.end();
    await this.#life.ended;
    await oci.delete(() => killGroup(this.#life.cgroupFolders()));
    this.#life.noted.forget();
    rmSync(folder, { recursive: true, force: true });
    this.#life.tell('deleted');
  }
}
