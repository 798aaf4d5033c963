import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { areBuilt } from '../../conformance/peers/are-built.ts';
import { buildUpstream, type UpstreamProgram } from '../../conformance/upstream/build.ts';
import { etcdProgram } from '../../conformance/upstream/etcd.ts';

const run = promisify(execFile);

/** Where the built programs lie. */
const binFolder = join(import.meta.dirname, '../../conformance/bin');

const kubernetes: UpstreamProgram[] = [
  'kube-apiserver',
  'kube-controller-manager',
  'kube-scheduler',
  'kubelet',
];
const containerd = ['containerd', 'containerd-shim-runc-v2'];

/**
 * Builds Kubernetes' programs and containerd from their Go modules, as they are, and answers their folder. The first time
 * it compiles for a long while. Installs Debian's etcd-server where etcd is missing.
 */
export async function buildPrograms(): Promise<string> {
  etcdProgram();
  for (const name of kubernetes) {
    console.error(`building ${name}`);
    await buildUpstream(name);
  }
  return buildContainerd();
}

/** Builds containerd and its shim alone, and answers their folder. */
export async function buildContainerd(): Promise<string> {
  for (const name of containerd) {
    console.error(`building ${name}`);
    const words = ['build', '-o', join(binFolder, name), `github.com/containerd/containerd/v2/cmd/${name}`];
    if (!areBuilt) await run('go', words, { cwd: import.meta.dirname, maxBuffer: 16 << 20 });
  }
  return binFolder;
}
