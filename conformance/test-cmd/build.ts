import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { chmod, cp, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { kubernetesFolder } from '../e2e/build.ts';

const run = promisify(execFile);

/** What the scripts of test/cmd read of Kubernetes' tree. */
const folders = [
  'hack/lib',
  'hack/make-rules',
  'hack/testdata',
  'test/cmd',
  'test/fixtures',
  'test/e2e/testing-manifests',
  'third_party/forked/shell2junit',
];

/** Copies those parts of Kubernetes' tree below `root`, which the scripts write into. */
export async function copyTree(root: string): Promise<void> {
  const source = await kubernetesFolder();
  for (const folder of folders) {
    await mkdir(join(root, folder), { recursive: true });
    await cp(join(source, folder), join(root, folder), { recursive: true });
  }
  // Modules are kept read-only, and no file of theirs is a program.
  await run('chmod', ['-R', 'u+w', root]);
  const plugins = globSync(join(root, 'test/fixtures/pkg/kubectl/plugins/**/kubectl-*'));
  await Promise.all(plugins.map((path) => chmod(path, 0o755)));
}

/** Builds kubectl's plug-in that converts objects into other versions, and answers its path. */
export async function buildConvert(): Promise<string> {
  const upstream = join(dirname(import.meta.dirname), 'upstream');
  const binary = join(dirname(import.meta.dirname), 'bin', 'kubectl-convert');
  const env = { ...process.env, CGO_ENABLED: '0' };
  const words = ['build', '-ldflags=-s -w', '-o', binary, 'k8s.io/kubernetes/cmd/kubectl-convert'];
  await run('go', words, { cwd: upstream, maxBuffer: 16 << 20, env });
  return binary;
}
