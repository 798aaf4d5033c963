import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const binFolder = join(dirname(import.meta.dirname), 'bin');

/** Programs of the module in this folder. */
export type UpstreamProgram = 'kubelet' | 'kube-apiserver' | 'kube-controller-manager' | 'kube-scheduler';

/** Builds one of Kubernetes' own programs and answers its path. The first time it compiles for many minutes. */
export async function buildUpstream(name: UpstreamProgram): Promise<string> {
  const binary = join(binFolder, name);
  const words = ['build', '-o', binary, `k8s.io/kubernetes/cmd/${name}`];
  await run('go', words, { cwd: import.meta.dirname, maxBuffer: 16 << 20 });
  return binary;
}
