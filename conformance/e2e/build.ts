import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Where the outside judges' programs are kept. */
export const binFolder = join(dirname(import.meta.dirname), 'bin');

async function go(words: readonly string[], env: Record<string, string> = {}): Promise<void> {
  const options = { cwd: import.meta.dirname, maxBuffer: 16 << 20, env: { ...process.env, ...env } };
  await run('go', words, options);
}

/** The source of Kubernetes that the suite is built from. */
export async function kubernetesFolder(): Promise<string> {
  const words = ['list', '-m', '-f', '{{.Dir}}', 'k8s.io/kubernetes'];
  return (await run('go', words, { cwd: import.meta.dirname })).stdout.trim();
}

/** Builds Kubernetes' suite and answers its path. The first time it compiles for many minutes. */
export async function buildSuite(): Promise<string> {
  const binary = join(binFolder, 'e2e.test');
  await go(['test', '-c', '-o', binary, '.']);
  return binary;
}

/** Builds Ginkgo, which runs the suite in several processes, and answers its path. */
export async function buildGinkgo(): Promise<string> {
  const binary = join(binFolder, 'ginkgo');
  await go(['build', '-o', binary, 'github.com/onsi/ginkgo/v2/ginkgo']);
  return binary;
}

/** Builds the program of most of the suite's images, static, and answers its path. */
export async function buildAgnhost(): Promise<string> {
  const binary = join(binFolder, 'agnhost');
  const words = ['build', '-ldflags=-s -w', '-o', binary, 'k8s.io/kubernetes/test/images/agnhost'];
  await go(words, { CGO_ENABLED: '0' });
  return binary;
}
