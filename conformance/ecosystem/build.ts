import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** What is built for each name: two programs as they are, and those of this module. */
const packages = {
  stern: 'github.com/stern/stern',
  'metrics-server': 'sigs.k8s.io/metrics-server/cmd/metrics-server',
  certmanager: './certmanager',
  manager: './manager',
} as const;

/** Builds one of the programs that this module pins and answers its path. The first time it compiles for minutes. */
export async function buildProgram(name: keyof typeof packages): Promise<string> {
  const binary = join(dirname(import.meta.dirname), 'bin', name);
  const env = { ...process.env, CGO_ENABLED: '0' };
  const words = ['build', '-ldflags=-s -w', '-o', binary, packages[name]];
  await run('go', words, { cwd: import.meta.dirname, maxBuffer: 16 << 20, env });
  return binary;
}

/** The folder of a module that this one pins, with the manifests that it is delivered with. */
export async function folderOf(module: string): Promise<string> {
  const words = ['list', '-m', '-f', '{{.Dir}}', module];
  const { stdout } = await run('go', words, { cwd: import.meta.dirname });
  return stdout.trim();
}
