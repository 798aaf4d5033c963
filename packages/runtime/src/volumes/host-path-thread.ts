/**
 * The thread that looks up paths of the machine which may hang: one at a time, one answer for each. It loads nothing of ours:
 * how long it takes to start counts as the machine's time.
 */
import { mkdirSync, realpathSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';

/** What the thread answers. */
export type HostPathAnswer = { path: string } | { failure: string };

function look(hostPath: string): string {
  try {
    return realpathSync(hostPath);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    mkdirSync(hostPath, { recursive: true, mode: 0o755 });
    return realpathSync(hostPath);
  }
}

parentPort?.on('message', (hostPath: string) => {
  let answer: HostPathAnswer;
  try {
    answer = { path: look(hostPath) };
  } catch (error) {
    answer = { failure: (error as Error).message };
  }
  parentPort?.postMessage(answer);
});
