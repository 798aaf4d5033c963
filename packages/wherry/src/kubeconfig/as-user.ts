import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { CommandError } from '../errors.ts';
import { type CallingUser, callingUser, kubeconfigOf } from './calling-user.ts';

const entry = new URL('../main.ts', import.meta.url).pathname;
const timeoutMs = 10_000;

/**
 * Puts a node's kubeconfig into that of the user who called sudo, and makes it the current context there, as kind does.
 * A process with that user's rights does it, since what lies in a home folder is the user's to choose, links included.
 * Gives back the path, or nothing where nobody called sudo. Throws `CommandError`.
 */
export function giveKubeconfig(kubeconfig: string, user = callingUser()): string | undefined {
  if (!user) return undefined;
  return changeAs(user, ['--merge'], readFileSync(kubeconfig, 'utf8'));
}

/** Takes the entries of a node out of the user's kubeconfig again. */
export function takeKubeconfig(name: string, user = callingUser()): void {
  if (user) changeAs(user, ['--remove', name], '');
}

function changeAs(user: CallingUser, words: string[], input: string): string {
  const path = kubeconfigOf(user);
  const { status, stderr, error } = spawnSync(
    process.execPath,
    [entry, '__kubeconfig', '--file', path, ...words],
    {
      input,
      encoding: 'utf8',
      uid: user.uid,
      gid: user.gid,
      cwd: '/',
      env: { PATH: process.env['PATH'], HOME: user.home },
      timeout: timeoutMs,
    },
  );
  if (error || status !== 0) {
    throw new CommandError(`"${path}" of ${user.name} was not changed: ${(error?.message ?? stderr).trim()}`);
  }
  return path;
}
