import { existsSync } from 'node:fs';

/** Throws unless it is root who runs the tests: a test that can't run has failed. */
export function needRoot(): void {
  if (process.geteuid?.() !== 0) throw new Error('needs root: run the tests as root');
}

/** Throws when a program is not there, with the Debian package that brings it. */
export function needProgram(path: string, debianPackage: string): void {
  if (!existsSync(path)) throw new Error(`needs ${path}: apt-get install ${debianPackage}`);
}
