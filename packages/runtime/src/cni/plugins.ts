import { statSync } from 'node:fs';
import { join } from 'node:path';
import { type Clock, sleep } from '@wherry/clock';
import { type MonitorClient, MonitorError } from '@wherry/monitor-api';
import { RuntimeError } from '../errors.ts';
import { limits } from '../limits.ts';
import type { PluginCalls } from './chain.ts';
import type { PluginCall } from './plugin-call.ts';
import { PluginError, pluginError } from './plugin-error.ts';

/** Where plug-ins are, and who runs them. */
export interface PluginsOptions {
  /** Folders of their programs, looked through in this order. */
  binDirs: readonly string[];
  /** The monitor starts them: its process is small, and outlives the runtime. */
  monitor: Pick<MonitorClient, 'call'>;
  clock: Clock;
  /** Time for one plug-in. Default `limits.cniPluginTimeoutMs`. */
  timeoutMs?: number | undefined;
}

/** What plug-ins look for other programs in (iptables, modprobe); nothing of this process's environment reaches them. */
const programPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** Plug-ins as programs of the machine. */
export class Plugins {
  readonly #options: PluginsOptions;

  constructor(options: PluginsOptions) {
    this.#options = options;
  }

  /** Makes the calls of an operation, one after another; those of the same `turn` never overlap. */
  async run<Result>(calls: PluginCalls<Result>, turn: string, signal: AbortSignal): Promise<Result> {
    let step = calls.next();
    while (!step.done) {
      const call = step.value;
      step = await this.#call(call, turn, signal).then(
        (answer) => calls.next(answer),
        (error) => calls.throw(error),
      );
    }
    return step.value;
  }

  /** Throws `PluginError` when the plug-in fails, as it says; and when there is none. */
  async #call(call: PluginCall, turn: string, signal: AbortSignal): Promise<unknown> {
    const program = this.#find(call.type);
    const { exitCode, stdout, stderr } = await this.#start(program, call, turn, signal);
    const words = text(stdout);
    if (exitCode !== 0) throw pluginError(words, text(stderr), exitCode);
    if (words.trim() === '') return undefined;
    try {
      return JSON.parse(words);
    } catch {
      // Only ADD and VERSION are asked for an answer.
      return undefined;
    }
  }

  /** A program that is just being written is tried again, as libcni does. */
  async #start(program: string, { environment, stdin }: PluginCall, turn: string, signal: AbortSignal) {
    const { monitor, binDirs, clock, timeoutMs = limits.cniPluginTimeoutMs } = this.#options;
    for (let attempt = 1; ; attempt++) {
      try {
        const request = {
          program,
          environment: { ...environment, CNI_PATH: binDirs.join(':'), PATH: programPath },
          stdin,
          timeoutMs,
          outputBytesMax: limits.cniOutputBytesMax,
          turn,
        };
        return await monitor.call('program.run', request, { signal });
      } catch (error) {
        if (!(error instanceof MonitorError)) throw error;
        if (['DEADLINE_EXCEEDED', 'RESOURCE_EXHAUSTED'].includes(error.code))
          throw new PluginError(error.message);
        if (!error.message.includes('ETXTBSY') || attempt > limits.cniBusyAttempts) throw error;
        await sleep({ clock, delayMs: limits.cniBusyPauseMs, signal });
      }
    }
  }

  #find(type: string): string {
    const { binDirs } = this.#options;
    for (const folder of binDirs) {
      const path = join(folder, type);
      const stats = statSync(path, { throwIfNoEntry: false });
      if (stats?.isFile() && (stats.mode & 0o111) !== 0) return path;
    }
    throw new RuntimeError(
      'FAILED_PRECONDITION',
      `failed to find plugin "${type}" in path [${binDirs.join(' ')}]`,
    );
  }
}

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString();
