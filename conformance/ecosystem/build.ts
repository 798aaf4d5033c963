import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** What is built for each name: programs as they are, and those of this module. */
const packages = {
  stern: 'github.com/stern/stern',
  'metrics-server': 'sigs.k8s.io/metrics-server/cmd/metrics-server',
  kueue: 'sigs.k8s.io/kueue/cmd/kueue',
  descheduler: 'sigs.k8s.io/descheduler/cmd/descheduler',
  certmanager: './certmanager',
  manager: './manager',
} as const;

/** Those with a module of their own, since they need other versions of what the others need too. */
const ownModules = ['kueue', 'descheduler'];
const moduleOf = (name: string) => join(import.meta.dirname, ownModules.includes(name) ? name : '.');

/** Builds one of the programs that are pinned here and answers its path. The first time it compiles for minutes. */
export async function buildProgram(name: keyof typeof packages): Promise<string> {
  const binary = join(dirname(import.meta.dirname), 'bin', name);
  const env = { ...process.env, CGO_ENABLED: '0' };
  const words = ['build', '-ldflags=-s -w', '-o', binary, packages[name]];
  await run('go', words, { cwd: moduleOf(name), maxBuffer: 16 << 20, env });
  return binary;
}

/** The folder of a module that the one of a program pins, with the manifests that it is delivered with. */
export async function folderOf(module: string, program: keyof typeof packages = 'stern'): Promise<string> {
  const words = ['list', '-m', '-f', '{{.Dir}}', module];
  const { stdout } = await run('go', words, { cwd: moduleOf(program) });
  return stdout.trim();
}
