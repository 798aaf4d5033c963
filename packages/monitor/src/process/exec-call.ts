import { existsSync } from 'node:fs';
import { unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { onAbort } from '@wherry/bytes';
import type { Timer } from '@wherry/clock';
import { type CgroupMoves, closeDescriptor, openPipe, pathForChildren } from '@wherry/linux';
import { MonitorError, type OciProcess } from '@wherry/monitor-api';
import { DescriptorSink } from '../io/descriptor-sink.ts';
import { limits } from '../limits.ts';
import type { ExecFolders } from './exec-folders.ts';
import type { ExecNames } from './exec-names.ts';
import { WatchedProcess, type WatchTools } from './exit-watch.ts';
import { processAt } from './left-execs.ts';
import { readPidFile } from './oci-arguments.ts';
import type { OciRuntime, StdioEnd } from './oci-runtime.ts';

const signalKill = 9;

/** What all exec processes share. */
export interface ExecDependencies extends WatchTools {
  /** The one that runs the container. */
  ociRuntimeOf(containerId: string): OciRuntime;
  moves: CgroupMoves;
  /** What the calls are named. */
  names: ExecNames;
  /** Ids of exec processes that somebody waits for. */
  running: Set<number>;
  /** For pid files and logs of the OCI runtime. */
  folders: ExecFolders;
  /** Folder for console sockets, with a short path. */
  socketFolder: string;
}

/** What an {@link ExecCall} needs to begin. */
export interface ExecCallOptions {
  containerId: string;
  /** Unique among the calls of this machine's monitors. */
  name: string;
  stdio: [StdioEnd, StdioEnd, StdioEnd];
  /** More arguments for the OCI runtime. */
  more: string[];
  /** Runs once the program has its descriptors, or will never have them. */
  release: () => void;
}

/**
 * One `exec` of the OCI runtime, in two steps. The program is started at once, loads itself and the container's state
 * (half of its time), and then waits: which process it shall start comes through a pipe, when `start` is called.
 */
export class ExecCall {
  readonly #dependencies: ExecDependencies;
  readonly #options: ExecCallOptions;
  readonly #pidPath: string;
  readonly #description: DescriptorSink;
  readonly #stopped = new AbortController();
  readonly #ended: Promise<void>;

  constructor(dependencies: ExecDependencies, options: ExecCallOptions) {
    this.#dependencies = dependencies;
    this.#options = options;
    const base = join(dependencies.folders.forNext, options.name);
    this.#pidPath = `${base}.pid`;
    const { readDescriptor, writeDescriptor } = openPipe();
    this.#description = new DescriptorSink(writeDescriptor, dependencies.poller);
    this.#ended = this.#run(`${base}.log`, readDescriptor).finally(() => {
      options.release();
      this.#description.abort(new MonitorError('CANCELLED', 'the OCI runtime has ended'));
      closeDescriptor(readDescriptor);
    });
    this.#ended.catch(() => {});
  }

  /**
   * Has the process started. Rejects with `UNKNOWN` (no such program, container gone). A program that is killed now
   * could leave a process that nobody knows: at an abort it gets a moment to say which, and the caller ends that.
   */
  async start(description: OciProcess, signal?: AbortSignal): Promise<WatchedProcess> {
    let timer: Timer | undefined;
    const leave = onAbort(signal, () => {
      timer = this.#dependencies.clock.after(limits.execStartAfterStopMs, () => void this.cancel());
    });
    try {
      if (signal?.aborted) void this.cancel();
      else this.#describe(description);
      await this.#ended;
      return this.#watch();
    } catch (error) {
      this.#endStarted();
      throw error;
    } finally {
      timer?.cancel();
      leave();
    }
  }

  /** Ends the program, and settles when it has ended; before `start`, no process was started. */
  async cancel(): Promise<void> {
    this.#stopped.abort();
    await this.#ended.catch(() => {});
  }

  /** The program opens the reading end anew through /proc, so that it inherits no descriptor beside its stdio. */
  async #run(logPath: string, readDescriptor: number): Promise<void> {
    const { containerId, stdio, more, release } = this.#options;
    this.#expectMove();
    const source = ['--process', pathForChildren(readDescriptor)];
    await this.#dependencies.ociRuntimeOf(containerId).call({
      arguments: ['exec', '--detach', ...source, '--pid-file', this.#pidPath, ...more, containerId],
      logPath,
      stdio,
      signal: this.#stopped.signal,
      onSpawned: release,
    });
  }

  /** What the program has to wait for in the kernel begins now; and again when the client has come, who may be late. */
  #expectMove(): void {
    void this.#dependencies.moves.expect();
  }

  /** A program that has ended already takes nothing; why it has ended is told by its call. */
  #describe(description: OciProcess): void {
    this.#expectMove();
    try {
      this.#description.write(Buffer.from(JSON.stringify(description)));
      this.#description.end();
    } catch {}
  }

  /** A program that was killed, or failed, may have started the process all the same: it ends with it. */
  #endStarted(): void {
    const started = existsSync(this.#pidPath) ? processAt(this.#pidPath, this.#dependencies) : null;
    started?.signal(signalKill);
    void Promise.resolve(started?.exited).then(() => this.#forgetPid());
  }

  /** Nobody waits for it: a journaling file system takes its time. */
  #forgetPid(): void {
    unlink(this.#pidPath).catch(() => {});
  }

  /** The file with its id stays until it has ended: it tells a later monitor what this one may leave. */
  #watch(): WatchedProcess {
    const { running } = this.#dependencies;
    const watched = WatchedProcess.open({ pid: readPidFile(this.#pidPath), tools: this.#dependencies });
    if (!watched) {
      const { containerId } = this.#options;
      throw new MonitorError(
        'INTERNAL',
        `the process started in "${containerId}" was reaped by somebody else`,
      );
    }
    const { pid } = watched.identity;
    running.add(pid);
    void watched.exited.then(() => {
      running.delete(pid);
      this.#forgetPid();
    });
    return watched;
  }
}
