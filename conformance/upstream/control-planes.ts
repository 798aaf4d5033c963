import type { ControlPlane } from '../peers/joining-checks.ts';
import type { ClusterFiles, Processes } from '../peers/joining-node.ts';
import { buildUpstream } from './build.ts';
import { etcdFlags, etcdProgram } from './etcd.ts';

/** Of a certificate whose life began five minutes ago: after 22 to 114 s another is asked for. */
const lifeSeconds = 160;

const serverFlags = ({ at }: ClusterFiles, port: number) => [
  `--secure-port=${port}`,
  '--bind-address=127.0.0.1',
  `--client-ca-file=${at('ca.crt')}`,
  `--tls-cert-file=${at('apiserver.crt')}`,
  `--tls-private-key-file=${at('apiserver.key')}`,
  '--service-account-issuer=https://kubernetes.default.svc.cluster.local',
  `--service-account-key-file=${at('service-account.pub')}`,
  `--service-account-signing-key-file=${at('service-account.key')}`,
  `--kubelet-certificate-authority=${at('ca.crt')}`,
  `--kubelet-client-certificate=${at('kubelet-client.crt')}`,
  `--kubelet-client-key=${at('kubelet-client.key')}`,
  '--kubelet-preferred-address-types=InternalIP',
  '--authorization-mode=Node,RBAC',
  '--enable-bootstrap-token-auth',
];

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
