import type { Clock } from '@wherry/clock';
import { fileServerMs } from '../../../limits.ts';
import { runTool } from './run-tool.ts';

/** Rejects when the server of what is mounted at `path` does not answer. Asked by a program: whoever asks may hang for good. */
export async function requireFileServer(path: string, clock: Clock): Promise<void> {
  const { done } = runTool({ program: 'stat', args: ['--', path], clock, timeoutMs: fileServerMs });
  await done.catch((error: unknown) => {
    throw new Error('the file server of the volume does not answer', { cause: error });
  });
}
