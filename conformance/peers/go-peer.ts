import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const moduleFolder = dirname(import.meta.dirname);
const run = promisify(execFile);

/**
 * Builds `conformance/<name>` with Go and returns the path of the binary; throws with the compiler's words. A peer that
 * would raise the others' versions has a Go module of its own.
 */
export async function buildGoPeer(name: string): Promise<string> {
  const binary = join(moduleFolder, 'bin', name);
  const folder = join(moduleFolder, name);
  const [cwd, target] = existsSync(join(folder, 'go.mod')) ? [folder, '.'] : [moduleFolder, `./${name}`];
  await run('go', ['build', '-o', binary, target], { cwd });
  return binary;
}
