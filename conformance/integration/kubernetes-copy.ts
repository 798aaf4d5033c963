import { execFile } from 'node:child_process';
import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const upstream = join(dirname(import.meta.dirname), 'upstream');
/** Always the same: by another path Go would compile all of it again. */
const folder = join(dirname(import.meta.dirname), 'bin', 'integration');
const kubernetes = join(folder, 'kubernetes');
const tests = 'test/integration';

/** What takes the place of which folder's files: servers of tests that are processes of their own. */
const replaced = [
  { from: 'testserver', to: 'cmd/kube-apiserver/app/testing', isWhole: true },
  { from: 'framework', to: `${tests}/framework`, isWhole: false },
] as const;

/** Makes a copy of Kubernetes' module in which its integration tests start our API server. */
export async function prepareCopy(): Promise<void> {
  const { stdout } = await run('go', ['mod', 'download', '-json', 'k8s.io/kubernetes'], { cwd: upstream });
  const { Dir } = JSON.parse(stdout) as { Dir: string };
  await rm(folder, { recursive: true, force: true });
  await cp(Dir, kubernetes, { recursive: true });
  // Modules are kept read-only.
  await run('chmod', ['-R', 'u+w', kubernetes]);
  for (const { from, to, isWhole } of replaced) {
    if (isWhole) await rm(join(kubernetes, to), { recursive: true });
    await cp(join(import.meta.dirname, from), join(kubernetes, to), { recursive: true });
  }
  const module = await readFile(join(upstream, 'go.mod'), 'utf8');
  const ours = module.replace(/^module .*/, 'module wherry.dev/conformance/integration');
  await writeFile(join(folder, 'go.mod'), `${ours}\nreplace k8s.io/kubernetes => ./kubernetes\n`);
  await cp(join(upstream, 'go.sum'), join(folder, 'go.sum'));
}

/** The folder of a package of tests, in which it runs. */
export const folderOf = (name: string): string => join(kubernetes, tests, name);

/** Builds the tests of a package, and answers their path. The first time it compiles Kubernetes for many minutes. */
export async function buildTests(name: string): Promise<string> {
  const program = join(folder, `${name.replaceAll('/', '_')}.test`);
  // What tests alone need is in no go.mod of ours.
  const words = ['test', '-c', '-mod=mod', '-tags=wherry', '-vet=off', '-o', program];
  await run('go', [...words, `k8s.io/kubernetes/${tests}/${name}`], { cwd: folder, maxBuffer: 16 << 20 });
  return program;
}
