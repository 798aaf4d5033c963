import { wherryEntry } from '../../e2e/node.ts';
import type { ControlPlane } from './joining-checks.ts';
import type { ClusterFiles, Processes } from './joining-node.ts';

/** Of a certificate whose life began five minutes ago: after 22 to 114 s another is asked for. */
export const lifeSeconds = 160;

/** Flags of an API server, upstream's or ours, of the cluster that these files make. */
export const serverFlags = ({ at }: ClusterFiles, port: number) => [
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

/** Our API server, as a program of its own. */
export async function startOwnServer(
  files: ClusterFiles,
  processes: Processes,
  port: number,
  more: readonly string[] = [],
): Promise<void> {
  const flags = [...serverFlags(files, port), ...more];
  const words = [wherryEntry, 'apiserver', '--data-dir', files.at('store'), ...flags];
  processes.start('apiserver', process.execPath, words);
}

/** Our API server and our controllers, which approve and sign. */
export const ownPlane: ControlPlane = {
  ...{ port: 16_475, kubeletPort: 10_392, podCidr: '10.94.9.0/24', lifeSeconds },
  startServer: (files, processes) => startOwnServer(files, processes, 16_475),
  async startControllers({ at, kubeconfig }, processes) {
    processes.start('controllers', process.execPath, [
      ...[wherryEntry, 'controllers', '--kubeconfig', kubeconfig, '--leader-elect=false', '--secure-port=0'],
      `--root-ca-file=${at('ca.crt')}`,
      `--service-account-private-key-file=${at('service-account.key')}`,
      `--cluster-signing-cert-file=${at('ca.crt')}`,
      `--cluster-signing-key-file=${at('ca.key')}`,
      `--cluster-signing-duration=${lifeSeconds}s`,
    ]);
  },
};
