import { existsSync } from 'node:fs';
import { checkpointAbility } from '../src/criu.ts';

/** Throws unless it is root who runs the tests: a test that can't run has failed. */
export function needRoot(): void {
  if (process.geteuid?.() !== 0) throw new Error('needs root: run the tests as root');
}

/** Throws when a program is not there, with the Debian package that brings it. */
export function needProgram(path: string, debianPackage: string): void {
  if (!existsSync(path)) throw new Error(`needs ${path}: apt-get install ${debianPackage}`);
}

/**
 * Why no container can be checkpointed on this machine, for a test to skip with; false where that can be done. Not every CRIU agrees
 * with every kernel, and a test can bring about neither.
 */
export function checkpointProblem(): string | false {
  const { detail, remedy } = checkpointAbility();
  return remedy === undefined ? false : `no checkpoints here: ${detail}; ${remedy}`;
}
