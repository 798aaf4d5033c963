import type { ControlPlane } from '../peers/joining-checks.ts';
import type { ClusterFiles, Processes } from '../peers/joining-node.ts';
import { lifeSeconds, serverFlags, startOwnServer } from '../peers/own-plane.ts';
import { buildUpstream } from './build.ts';
import { etcdFlags, etcdProgram } from './etcd.ts';

/** Upstream's controller manager, which approves and signs with the cluster's authority. */
async function startUpstreamControllers({ at, kubeconfig }: ClusterFiles, processes: Processes) {
  processes.start('controllers', await buildUpstream('kube-controller-manager'), [
    ...['--kubeconfig', kubeconfig, '--secure-port=0', '--leader-elect=false'],
    ...['--authentication-skip-lookup=true', '--authorization-kubeconfig', kubeconfig],
    ...[`--root-ca-file=${at('ca.crt')}`, '--allocate-node-cidrs=false'],
    `--service-account-private-key-file=${at('service-account.key')}`,
    `--cluster-signing-cert-file=${at('ca.crt')}`,
    `--cluster-signing-key-file=${at('ca.key')}`,
    `--cluster-signing-duration=${lifeSeconds}s`,
  ]);
}

/** kube-apiserver with etcd, and kube-controller-manager. */
export const upstreamPlane: ControlPlane = {
  ...{ port: 16_473, kubeletPort: 10_390, podCidr: '10.94.7.0/24', lifeSeconds },
  async startServer(files, processes) {
    const program = await buildUpstream('kube-apiserver');
    const etcdPort = 23_860;
    processes.start('etcd', etcdProgram(), etcdFlags(files.at('etcd'), etcdPort));
    processes.start('apiserver', program, [
      ...serverFlags(files, 16_473),
      `--etcd-servers=http://127.0.0.1:${etcdPort}`,
      '--service-cluster-ip-range=10.96.0.0/16',
    ]);
  },
  startControllers: startUpstreamControllers,
};

/** Our API server, and kube-controller-manager. */
export const mixedPlane: ControlPlane = {
  ...{ port: 16_474, kubeletPort: 10_391, podCidr: '10.94.8.0/24', lifeSeconds },
  startServer: (files, processes) => startOwnServer(files, processes, 16_474),
  startControllers: startUpstreamControllers,
};
