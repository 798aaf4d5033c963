import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** Throws unless it is root who runs the tests: a test that can't run has failed. */
export function needRoot(): void {
  if (process.geteuid?.() !== 0) throw new Error('needs root: run the tests as root');
}

/** Throws when a program is not there, with the Debian package that brings it. */
export function needProgram(path: string, debianPackage: string): void {
  if (!existsSync(path)) throw new Error(`needs ${path}: apt-get install ${debianPackage}`);
}

/**
 * Why no container can be checkpointed on this machine, for a test to skip with; false where that can be done. CRIU is an
 * addition that not every kernel agrees with: what it has to do with it no test can bring about.
 */
export function checkpointProblem(): string | false {
  const { error, status, stderr } = spawnSync('criu', ['check'], { encoding: 'utf8', timeout: 20_000 });
  if (error) return 'needs criu: apt-get install criu';
  if (status === 0) return false;
  const words = stderr
    .trim()
    .split('\n')
    .filter((line) => line.includes('Error'));
  return `needs a criu that agrees with this kernel; criu check says: ${words.at(-1) ?? stderr.trim()}`;
}
