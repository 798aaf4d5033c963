import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

const monitorProgram = new URL('./monitor-process.ts', import.meta.url).pathname;

/** A process that can be killed. */
export interface KillableProcess {
  readonly pid: number;
  /** SIGKILL; resolves when it is gone. */
  kill(): Promise<void>;
}

/** Starts a Node program that prints a line when it serves, and resolves then. */
export async function spawnReady(program: string, ...words: string[]): Promise<KillableProcess> {
  const child = spawn(process.execPath, [program, ...words], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit').then(([code, signal]) => {
    throw new Error(`${program} ended with ${code ?? signal} before it was ready`);
  });
  ended.catch(() => {});
  await Promise.race([once(child.stdout, 'data'), ended]);
  return { pid: child.pid!, kill: () => killAndWait(child) };
}

/** Starts a monitor as a process of its own; resolves when it serves. */
export function spawnMonitor(options: {
  dataDir: string;
  socketPath: string;
  ociRuntime?: string;
}): Promise<KillableProcess> {
  return spawnReady(monitorProgram, options.dataDir, options.socketPath, options.ociRuntime ?? '');
}

async function killAndWait(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}
