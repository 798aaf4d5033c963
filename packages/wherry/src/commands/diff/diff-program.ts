import { spawn } from 'node:child_process';
import { onAbort } from '@wherry/bytes';
import { CommandError } from '../../errors.ts';

/** Words that a diff program may be given from the environment; others are left out, as kubectl does. */
const allowedWord = /^[a-zA-Z0-9=-]+$/;

/** The program that compares two folders, and its words. */
export function diffCommand(external: string | undefined, folders: readonly string[]): string[] {
  if (!external) return ['diff', '-u', '-N', ...folders];
  const [program = '', ...words] = external.split(' ');
  return [program, ...folders, ...words.filter((word) => allowedWord.test(word))];
}

/** Lets the program print how two folders differ; true where they do. Throws `CommandError` when it could not tell. */
export async function runDiff(folders: readonly string[], signal: AbortSignal): Promise<boolean> {
  const [program = '', ...words] = diffCommand(process.env['KUBECTL_EXTERNAL_DIFF'], folders);
  const child = spawn(program, words, { stdio: 'inherit' });
  const leave = onAbort(signal, () => void child.kill());
  const { promise, resolve } = Promise.withResolvers<number | string>();
  child.once('error', ({ message }) => resolve(message));
  child.once('close', (code, killedBy) => resolve(code ?? `signal: ${killedBy}`));
  const ended = await promise.finally(leave);
  signal.throwIfAborted();
  if (ended === 0 || ended === 1) return ended === 1;
  const why = typeof ended === 'number' ? `exit status ${ended}` : ended;
  throw new CommandError(`failed to run ${JSON.stringify(program)}: ${why}`);
}
