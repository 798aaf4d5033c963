import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Builds Helm and answers its path. The first time it compiles for two minutes. */
export async function buildHelm(): Promise<string> {
  const binary = join(dirname(import.meta.dirname), 'bin', 'helm');
  const env = { ...process.env, CGO_ENABLED: '0' };
  const words = ['build', '-ldflags=-s -w', '-o', binary, 'helm.sh/helm/v3/cmd/helm'];
  await run('go', words, { cwd: import.meta.dirname, maxBuffer: 16 << 20, env });
  return binary;
}
