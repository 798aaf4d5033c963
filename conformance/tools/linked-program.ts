import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Copies a program of this machine to `path` in a tree, and the libraries that it is linked with to where it looks for them. */
export function bringLinkedProgram(tree: string, program: string, path: string): void {
  copyFileSync(program, join(tree, path));
  const listed = execFileSync('ldd', [program], { encoding: 'utf8' });
  for (const [library] of listed.matchAll(/\/\S+\.so\S*/g)) {
    mkdirSync(join(tree, dirname(library)), { recursive: true });
    copyFileSync(library, join(tree, library));
  }
}
