import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');
const containerdModule = 'github.com/containerd/containerd/v2';

/** A built suite. */
export interface Suite {
  program: string;
  /** The version of containerd that it belongs to. */
  version: string;
}

/**
 * Builds containerd's suite from its Go module, of the version that the benchmarks run. It is built in the module's own folder,
 * so that what it is built with are the versions that containerd itself pins. The first time it compiles for minutes.
 */
export async function buildSuite(): Promise<Suite> {
  const where = { cwd: join(root, 'bench/beside-upstream'), maxBuffer: 16 << 20 };
  await run('go', ['mod', 'download', containerdModule], where);
  const { stdout } = await run('go', ['list', '-m', '-json', containerdModule], where);
  const { Dir: folder, Version: version } = JSON.parse(stdout) as { Dir: string; Version: string };
  const program = join(root, 'conformance/bin/containerd-suite');
  const words = ['test', '-c', '-vet=off', '-ldflags=-s -w', '-o', program, './integration'];
  await run('go', words, { ...where, cwd: folder });
  return { program, version };
}
