import type { NodeLayout, Role } from '../layout/layout.ts';
import type { NodeRecord } from '../layout/record.ts';
import { pkiPaths } from '../pki/pki.ts';
import { controllersFiles, kubeletFiles } from './role-files.ts';

/** Addresses of services. Nothing routes to them yet, so the runtime refuses pods the whole range. */
const serviceRange = '10.96.0.0/16';

/** The command line of each process, exactly as a user could type it. */
export function roleArguments(role: Role, layout: NodeLayout, record: NodeRecord): string[] {
  const flags = flagsOf[role](layout, record);
  return [role, ...Object.entries(flags).map(([name, value]) => `--${name}=${value}`)];
}

const flagsOf: Record<Role, (layout: NodeLayout, record: NodeRecord) => Record<string, string | number>> = {
  monitor: (layout) => ({ 'data-dir': layout.roleDir('monitor'), address: layout.monitorSocket }),
  runtime: (layout, record) => ({
    'data-dir': layout.roleDir('runtime'),
    address: layout.criSocket,
    'monitor-address': layout.monitorSocket,
    'image-address': layout.imageSocket,
    bridge: record.bridgeName,
    'pod-cidr': record.podCidr,
    'blocked-cidr': serviceRange,
    'cgroup-root': record.cgroupRoot,
    ...(record.registryConfig === undefined ? {} : { 'registry-config': record.registryConfig }),
  }),
  apiserver: (layout, record) => {
    const pki = pkiPaths(layout.pkiDir);
    const serving = pki.certificate('apiserver');
    const toKubelet = pki.certificate('apiserver-kubelet-client');
    return {
      'data-dir': layout.roleDir('apiserver'),
      'bind-address': '0.0.0.0',
      'secure-port': record.apiPort,
      'advertise-address': record.nodeIp,
      'service-cluster-ip-range': serviceRange,
      'tls-cert-file': serving.cert,
      'tls-private-key-file': serving.key,
      'client-ca-file': pki.caCert,
      'service-account-key-file': pki.serviceAccountPublicKey,
      'service-account-signing-key-file': pki.serviceAccountKey,
      'service-account-issuer': 'https://kubernetes.default.svc.cluster.local',
      'kubelet-certificate-authority': pki.kubeletCaCert,
      'kubelet-client-certificate': toKubelet.cert,
      'kubelet-client-key': toKubelet.key,
      'local-node': record.name,
    };
  },
  controllers: (layout) => {
    const { kubeconfig, schedulerKubeconfig } = controllersFiles(layout);
    const rootCaFile = pkiPaths(layout.pkiDir).caCert;
    return { kubeconfig, 'scheduler-kubeconfig': schedulerKubeconfig, 'root-ca-file': rootCaFile };
  },
  kubelet: (layout, record) => {
    const files = kubeletFiles(layout);
    return {
      config: files.configuration,
      kubeconfig: files.kubeconfig,
      'root-dir': layout.roleDir('kubelet'),
      'hostname-override': record.name,
      'node-ip': record.nodeIp,
    };
  },
};
