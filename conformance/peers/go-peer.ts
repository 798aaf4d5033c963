import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const moduleFolder = dirname(import.meta.dirname);
const run = promisify(execFile);

/** Builds `conformance/<name>` with Go and returns the path of the binary; throws with the compiler's words. */
export async function buildGoPeer(name: string): Promise<string> {
  const binary = join(moduleFolder, 'bin', name);
  await run('go', ['build', '-o', binary, `./${name}`], { cwd: moduleFolder });
  return binary;
}
