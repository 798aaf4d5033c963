import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { areBuilt } from '../peers/are-built.ts';

const run = promisify(execFile);
const binFolder = join(dirname(import.meta.dirname), 'bin');

/** Programs of Kubernetes, the store below its API server, and small ones around parts of it, by their packages. */
const programs = {
  kubelet: 'k8s.io/kubernetes/cmd/kubelet',
  kubeadm: 'k8s.io/kubernetes/cmd/kubeadm',
  etcd: 'go.etcd.io/etcd/server/v3',
  'kube-apiserver': 'k8s.io/kubernetes/cmd/kube-apiserver',
  'kube-controller-manager': 'k8s.io/kubernetes/cmd/kube-controller-manager',
  'kube-proxy': 'k8s.io/kubernetes/cmd/kube-proxy',
  'kube-scheduler': 'k8s.io/kubernetes/cmd/kube-scheduler',
  'sample-device-plugin': 'k8s.io/kubernetes/test/images/sample-device-plugin',
  'metric-families': 'k8s.io/kubernetes/test/instrumentation',
  'device-record': './devicerecord',
  'claim-record': './claimrecord',
  'dra-driver': './dradriver',
  'managers-judge': './managersjudge',
  'csi-mock': './csimock',
  'scheduler-extender': './extender',
};

/** One of them. */
export type UpstreamProgram = keyof typeof programs;

/** kubeadm believes nobody who does not know his version. */
const linkFlags: Partial<Record<UpstreamProgram, string>> = {
  kubeadm: ['gitVersion=v1.36.2', 'gitMajor=1', 'gitMinor=36']
    .map((value) => `-X k8s.io/component-base/version.${value}`)
    .join(' '),
};

/** Builds one of Kubernetes' own programs and answers its path. The first time it compiles for many minutes. */
export async function buildUpstream(name: UpstreamProgram): Promise<string> {
  const binary = join(binFolder, name);
  const flags = linkFlags[name] === undefined ? [] : [`-ldflags=-w ${linkFlags[name]}`];
  const words = ['build', ...flags, '-o', binary, programs[name]];
  if (!areBuilt) await run('go', words, { cwd: import.meta.dirname, maxBuffer: 16 << 20 });
  return binary;
}
