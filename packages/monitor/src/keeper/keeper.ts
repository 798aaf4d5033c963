import { closeSync, constants, openSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import {
  closeDescriptor,
  exitCodeOfStatus,
  makeFifo,
  openPidDescriptor,
  type Poller,
  type ProcessIdentity,
  pollEvents,
  reap,
  signalProcess,
  spawnProgram,
} from '@wherry/linux';
import { limits } from '../limits.ts';
import { WatchedProcess } from '../process/exit-watch.ts';
import type { OciLaunch } from '../process/oci-runtime.ts';
import { type KeeperReport, type KeptExit, readReport } from './report.ts';

const signalKill = 9;

/** What a keeper is made of. */
export interface KeeperOptions {
  /** The keeper's program; see program.ts. */
  program: string;
  /** Its pipe, a FIFO that is there already. */
  path: string;
  /** Descriptors that it shall keep open. Not closed here. */
  held: readonly number[];
  poller: Poller;
}

/** Makes the pipe of a keeper that is to be started. */
export const makeKeeperPipe = (path: string): void => makeFifo(path);

/**
 * A container's keeper: the parent of its first process, which outlives monitors. Whatever is killed above it, the exit
 * code stays with the keeper, and the bytes in the pipes that it holds stay there.
 */
export class Keeper {
  readonly #path: string;
  readonly #poller: Poller;
  readonly #process: WatchedProcess;

  private constructor(path: string, poller: Poller, process: WatchedProcess) {
    this.#path = path;
    this.#poller = poller;
    this.#process = process;
  }

  /** Starts one, with the OCI runtime under it. Throws when the program cannot be run. */
  static start({ program, path, held, poller }: KeeperOptions, launch: OciLaunch): Keeper {
    // Open for both: as long as the keeper lives the pipe has a reader, and what was told stays in it.
    const pipe = openSync(path, constants.O_RDWR);
    try {
      const words = [launch.program, ...launch.arguments];
      const pid = spawnProgram({ ...launch, program, arguments: words, more: [pipe, ...held] });
      return new Keeper(path, poller, WatchedProcess.openChild(pid, poller));
    } finally {
      closeSync(pipe);
    }
  }

  /** Takes on the keeper of an earlier monitor; null when there is none any more. */
  static async find(path: string, poller: Poller): Promise<Keeper | null> {
    const report = await told(path);
    const process = report && WatchedProcess.open({ pid: report.pid, poller });
    return process && new Keeper(path, poller, process);
  }

  get identity(): ProcessIdentity {
    return this.#process.identity;
  }

  /** The OCI runtime's exit code, once it has ended; one that takes too long is killed. Null when the keeper is gone. */
  async runtimeEnded(): Promise<number | null> {
    const report = await told(this.#path);
    if (!report) return null;
    await this.#endOf(report.runtimePid);
    for (;;) {
      const now = readReport(this.#path);
      if (!now || now === 'starting') return null;
      if (now.runtimeStatus !== null) return exitCodeOfStatus(now.runtimeStatus);
      await delay(1);
    }
  }

  /** How the process ended, if the keeper has seen it. */
  exitOf(pid: number): KeptExit | null {
    const report = readReport(this.#path);
    const exit = report === 'starting' ? null : report?.exit;
    return exit?.pid === pid ? exit : null;
  }

  /** Ends the keeper; the process that it has not reaped, if any, is reaped here or by init. */
  end(pid: number | null): void {
    this.#process.signal(signalKill);
    if (pid !== null) void this.#process.exited.then(() => reap(pid));
  }

  /** Stops watching it; it stays for the next monitor. */
  abandon(): void {
    this.#process.abandon();
  }

  async #endOf(pid: number): Promise<void> {
    let descriptor: number;
    try {
      descriptor = openPidDescriptor(pid);
    } catch {
      // It has ended and was reaped.
      return;
    }
    const ended = Promise.withResolvers<void>();
    const watch = this.#poller.watch(descriptor, pollEvents.readable, () => ended.resolve());
    const timer = setTimeout(() => signalProcess(descriptor, signalKill), limits.ociCallTimeoutMs);
    await ended.promise;
    clearTimeout(timer);
    watch.stop();
    closeDescriptor(descriptor);
  }
}

/** What a keeper has told, once it has told something: it does so within a millisecond of its start. */
async function told(path: string): Promise<KeeperReport | null> {
  for (;;) {
    const report = readReport(path);
    if (report !== 'starting') return report;
    await delay(1);
  }
}
