/** The thread that looks up paths of the machine which may hang: one at a time, one answer for each. */
import { mkdirSync, realpathSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import { hasCode } from '@wherry/linux';
import { messageOf } from '../errors.ts';

/** What the thread answers. */
export type HostPathAnswer = { path: string } | { failure: string };

function look(hostPath: string): string {
  try {
    return realpathSync(hostPath);
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error;
    mkdirSync(hostPath, { recursive: true, mode: 0o755 });
    return realpathSync(hostPath);
  }
}

parentPort?.on('message', (hostPath: string) => {
  let answer: HostPathAnswer;
  try {
    answer = { path: look(hostPath) };
  } catch (error) {
    answer = { failure: messageOf(error) };
  }
  parentPort?.postMessage(answer);
});
