import type { NodeLayout, Role } from '../layout/layout.ts';
import type { NodeRecord } from '../layout/record.ts';
import { pkiPaths } from '../pki/pki.ts';
import type { ApiserverFlags } from '../roles/apiserver.ts';
import type { ControllersFlags } from '../roles/controllers.ts';
import type { KubeletFlags } from '../roles/kubelet.ts';
import type { MonitorFlags } from '../roles/monitor.ts';
import type { RuntimeFlags } from '../roles/runtime.ts';
import { controllersFiles, kubeletFiles } from './role-files.ts';

/** Addresses of services. Nothing routes to them yet, so the runtime refuses pods the whole range. */
const serviceRange = '10.96.0.0/16';

/** What each part of a node is told, under the names that its flags have in `wherry ROLE`. */
export const roleFlags = {
  monitor: (layout: NodeLayout): MonitorFlags => ({
    dataDir: layout.roleDir('monitor'),
    address: layout.monitorSocket,
  }),
  runtime: (layout: NodeLayout, record: NodeRecord): RuntimeFlags => ({
    dataDir: layout.roleDir('runtime'),
    address: layout.criSocket,
    monitorAddress: layout.monitorSocket,
    imageAddress: layout.imageSocket,
    bridge: record.bridgeName,
    podCidr: record.podCidr,
    blockedCidr: [serviceRange],
    cgroupRoot: record.cgroupRoot,
    ...(record.registryConfig !== undefined && { registryConfig: record.registryConfig }),
  }),
  apiserver: (layout: NodeLayout, record: NodeRecord): ApiserverFlags => {
    const pki = pkiPaths(layout.pkiDir);
    const serving = pki.certificate('apiserver');
    const toKubelet = pki.certificate('apiserver-kubelet-client');
    return {
      dataDir: layout.roleDir('apiserver'),
      bindAddress: '0.0.0.0',
      securePort: record.apiPort,
      advertiseAddress: record.nodeIp,
      serviceClusterIpRange: serviceRange,
      tlsCertFile: serving.cert,
      tlsPrivateKeyFile: serving.key,
      clientCaFile: pki.caCert,
      serviceAccountKeyFile: [pki.serviceAccountPublicKey],
      serviceAccountSigningKeyFile: pki.serviceAccountKey,
      serviceAccountIssuer: 'https://kubernetes.default.svc.cluster.local',
      kubeletCertificateAuthority: pki.kubeletCaCert,
      kubeletClientCertificate: toKubelet.cert,
      kubeletClientKey: toKubelet.key,
      localNode: record.name,
      ...(record.settings?.runtimeConfig && { runtimeConfig: record.settings.runtimeConfig }),
    };
  },
  controllers: (layout: NodeLayout): ControllersFlags => {
    const { kubeconfig, schedulerKubeconfig } = controllersFiles(layout);
    return { kubeconfig, schedulerKubeconfig, rootCaFile: pkiPaths(layout.pkiDir).caCert };
  },
  kubelet: (layout: NodeLayout, record: NodeRecord): KubeletFlags => {
    const files = kubeletFiles(layout);
    return {
      config: files.configuration,
      kubeconfig: files.kubeconfig,
      rootDir: layout.roleDir('kubelet'),
      hostnameOverride: record.name,
      nodeIp: record.nodeIp,
    };
  },
} satisfies Record<Role, (layout: NodeLayout, record: NodeRecord) => object>;
