import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

const program = new URL('./monitor-process.ts', import.meta.url).pathname;

/** A monitor that can be killed. */
export interface MonitorProcess {
  readonly pid: number;
  /** SIGKILL; resolves when it is gone. */
  kill(): Promise<void>;
}

/** Starts a monitor as a process of its own; resolves when it serves. */
export async function spawnMonitor(options: {
  dataDir: string;
  socketPath: string;
  ociRuntime?: string;
}): Promise<MonitorProcess> {
  const words = [program, options.dataDir, options.socketPath, options.ociRuntime ?? ''];
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit').then(([code, signal]) => {
    throw new Error(`the monitor ended with ${code ?? signal} before it was ready`);
  });
  ended.catch(() => {});
  await Promise.race([once(child.stdout, 'data'), ended]);
  return { pid: child.pid!, kill: () => killAndWait(child) };
}

async function killAndWait(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}
