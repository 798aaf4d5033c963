import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import type { Clock } from '@wherry/clock';
import { signalById } from '@wherry/linux';
import { mountToolBytesMax } from '../../../limits.ts';

/** A program of the machine that ends by itself, or is ended. */
export interface ToolRun {
  program: string;
  args: readonly string[];
  clock: Clock;
  timeoutMs: number;
}

/** A run of it. */
export interface RunningTool {
  /** Rejects with what it said where it failed, and where it took too long: a process that hangs in the kernel is waited for no more. */
  done: Promise<void>;
  /** Kills it with all that it has started. */
  end(why: string): void;
}

/** Runs a program in a group of its own, so that what it starts ends with it. */
export function runTool({ program, args, clock, timeoutMs }: ToolRun): RunningTool {
  const child = spawn(program, args, { detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  const hear = (chunk: Buffer) => {
    if (said.length < mountToolBytesMax) said += chunk.toString('utf8');
  };
  child.stdout.on('data', hear);
  child.stderr.on('data', hear);
  const { promise: done, resolve, reject } = Promise.withResolvers<void>();
  const end = (why: string) => {
    if (child.pid !== undefined) signalById(-child.pid, constants.signals.SIGKILL);
    reject(new Error(`${program} ${why}`));
    // Nothing waits for one that does not die.
    child.unref();
    child.stdout.destroy();
    child.stderr.destroy();
  };
  const timer = clock.after(timeoutMs, () => end(`did not end within ${timeoutMs / 1_000} s`));
  child.once('error', (error) =>
    reject(new Error(`${program} can not be run: ${error.message}`, { cause: error })),
  );
  child.once('close', (exitCode, killedBy) => {
    if (exitCode === 0) resolve();
    else reject(new Error(`mount failed: exit status ${exitCode ?? killedBy}: ${said.trim()}`));
  });
  done.then(timer.cancel, timer.cancel).catch(() => {});
  return { done, end };
}
