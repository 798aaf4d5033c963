import { closeSync, constants, openSync } from 'node:fs';
import { type Clock, sleep } from '@wherry/clock';
import {
  closeDescriptor,
  exitCodeOfStatus,
  makeFifo,
  openPidDescriptor,
  type ProcessIdentity,
  pollEvents,
  reap,
  signalProcess,
  spawnProgram,
} from '@wherry/linux';
import { limits } from '../limits.ts';
import { WatchedProcess, type WatchTools } from '../process/exit-watch.ts';
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
  tools: WatchTools;
}

/** Makes the pipe of a keeper that is to be started. */
export const makeKeeperPipe = (path: string): void => makeFifo(path);

/**
 * A container's keeper: the parent of its first process, which outlives monitors. Whatever is killed above it, the exit
 * code stays with the keeper, and the bytes in the pipes that it holds stay there.
 */
export class Keeper {
  readonly #path: string;
  readonly #tools: WatchTools;
  readonly #process: WatchedProcess;

  private constructor(path: string, tools: WatchTools, process: WatchedProcess) {
    this.#path = path;
    this.#tools = tools;
    this.#process = process;
  }

  /** Starts one, with the OCI runtime under it. Throws when the program cannot be run. */
  static start({ program, path, held, tools }: KeeperOptions, launch: OciLaunch): Keeper {
    // Open for both: as long as the keeper lives the pipe has a reader, and what was told stays in it.
    const pipe = openSync(path, constants.O_RDWR);
    try {
      const words = [launch.program, ...launch.arguments];
      const pid = spawnProgram({ ...launch, program, arguments: words, more: [pipe, ...held] });
      return new Keeper(path, tools, WatchedProcess.openChild(pid, tools));
    } finally {
      closeSync(pipe);
    }
  }

  /** Takes on the keeper of an earlier monitor; null when there is none any more. */
  static async find(path: string, tools: WatchTools): Promise<Keeper | null> {
    const report = await told(path, tools.clock);
    const process = report && WatchedProcess.open({ pid: report.pid, tools });
    return process && new Keeper(path, tools, process);
  }

  get identity(): ProcessIdentity {
    return this.#process.identity;
  }

  /** The OCI runtime's exit code, once it has ended; one that takes too long is killed. Null when the keeper is gone. */
  async runtimeEnded(): Promise<number | null> {
    const { clock } = this.#tools;
    const report = await told(this.#path, clock);
    if (!report) return null;
    await this.#endOf(report.runtimePid);
    for (;;) {
      const now = readReport(this.#path);
      if (!now || now === 'starting') return null;
      if (now.runtimeStatus !== null) return exitCodeOfStatus(now.runtimeStatus);
      await sleep({ clock, delayMs: limits.keeperLookMs });
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
    const { poller, clock } = this.#tools;
    const ended = Promise.withResolvers<void>();
    const watch = poller.watch(descriptor, pollEvents.readable, () => ended.resolve());
    const timer = clock.after(limits.ociCallTimeoutMs, () => signalProcess(descriptor, signalKill));
    await ended.promise;
    timer.cancel();
    watch.stop();
    closeDescriptor(descriptor);
  }
}

/** What a keeper has told, once it has told something: it does so within a millisecond of its start. */
async function told(path: string, clock: Clock): Promise<KeeperReport | null> {
  for (;;) {
    const report = readReport(path);
    if (report !== 'starting') return report;
    await sleep({ clock, delayMs: limits.keeperLookMs });
  }
}
