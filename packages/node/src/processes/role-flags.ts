import { nodeNamesOf } from '../layout/cluster.ts';
import { everyBridge, type NodeLayout, type Role } from '../layout/layout.ts';
import { gatewayOf, type NodeRecord } from '../layout/record.ts';
import { serviceRangesOf } from '../layout/service-range.ts';
import { nodePki } from '../pki/node-pki.ts';
import type { ApiserverFlags } from '../roles/apiserver.ts';
import type { ControllersFlags } from '../roles/controllers.ts';
import { oidcFlags } from '../roles/flags/oidc-flags.ts';
import type { KubeletFlags } from '../roles/kubelet.ts';
import type { MonitorFlags } from '../roles/monitor.ts';
import type { NetworkFlags } from '../roles/network/network.ts';
import type { RuntimeFlags } from '../roles/runtime.ts';
import { authorityFlags } from './authority-flags.ts';
import { dnsNames } from './dns-names.ts';
import { controllersFiles, kubeletFiles, networkKubeconfig, tracingFile } from './role-files.ts';

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
    peerBridges: everyBridge,
    blockedCidr: serviceRangesOf(record),
    cgroupRoot: record.cgroupRoot,
    ...(record.cgroupDriver && { cgroupDriver: record.cgroupDriver }),
    ...(record.cni && { cniConfDir: record.cni.confDir, cniBinDir: [...record.cni.binDirs] }),
    ...(record.registryConfig !== undefined && { registryConfig: record.registryConfig }),
    ...(record.settings?.runtimeHandlers && { runtimeHandler: record.settings.runtimeHandlers }),
    ...(record.settings?.nriSocket != null && { nriSocket: record.settings.nriSocket }),
    ...(record.settings?.restoreCheckpointImages && { restoreCheckpointImages: true }),
    ...tracingFlag(layout, record),
  }),
  apiserver: (layout: NodeLayout, record: NodeRecord): ApiserverFlags & { dataDir: string } => {
    const pki = nodePki(layout, record);
    const serving = pki.certificate('apiserver');
    const toKubelet = pki.certificate('apiserver-kubelet-client');
    const frontProxy = pki.certificate('front-proxy-client');
    return {
      dataDir: layout.roleDir('apiserver'),
      bindAddress: '0.0.0.0',
      securePort: record.apiPort,
      advertiseAddress: record.nodeIp,
      serviceClusterIpRange: serviceRangesOf(record).join(','),
      tlsCertFile: serving.cert,
      tlsPrivateKeyFile: serving.key,
      clientCaFile: pki.caCert,
      serviceAccountKeyFile: [pki.serviceAccountPublicKey],
      serviceAccountSigningKeyFile: pki.serviceAccountKey,
      kubeletCertificateAuthority: pki.kubeletCaCert,
      kubeletClientCertificate: toKubelet.cert,
      kubeletClientKey: toKubelet.key,
      proxyClientCertFile: frontProxy.cert,
      proxyClientKeyFile: frontProxy.key,
      requestheaderClientCaFile: pki.frontProxyCaCert,
      requestheaderAllowedNames: ['front-proxy-client'],
      enableBootstrapTokenAuth: true,
      localNode: nodeNamesOf(record),
      ...(record.settings?.runtimeConfig && { runtimeConfig: record.settings.runtimeConfig }),
      ...(record.settings?.oidc && oidcFlags(record.settings.oidc)),
      ...tracingFlag(layout, record),
    };
  },
  controllers: (layout: NodeLayout, record: NodeRecord): ControllersFlags => ({
    ...controllersFiles(layout),
    ...authorityFlags(nodePki(layout, record)),
    securePort: 0,
    localPathDir: layout.volumesDir,
    localPathNode: nodeNamesOf(record),
    loadBalancerNode: record.name,
    ...(record.settings?.loadBalancer === false && { loadBalancer: false }),
  }),
  network: (layout: NodeLayout, record: NodeRecord): NetworkFlags => ({
    kubeconfig: networkKubeconfig(layout),
    hostnameOverride: record.name,
    bridge: record.bridgeName,
    foreignBridges: everyBridge,
    serviceClusterIpRange: serviceRangesOf(record).join(','),
    podCidr: record.podCidr,
    // Several nodes share a machine's ports, and one may be upstream's.
    healthzBindAddress: '',
    metricsBindAddress: '',
    // Plug-ins may put pods on one link: answers to services would go past the machine, and policies are the plug-ins' own.
    ...(record.cni && { masqueradeAll: true, networkPolicies: false }),
    dnsBindAddress: gatewayOf(record),
    ...dnsNames(record),
  }),
  kubelet: (layout: NodeLayout, record: NodeRecord): KubeletFlags => {
    const files = kubeletFiles(layout);
    return {
      config: files.configuration,
      kubeconfig: files.kubeconfig,
      rootDir: layout.roleDir('kubelet'),
      hostnameOverride: record.name,
      nodeIp: [record.nodeIp, ...(record.nodeIpV6 === undefined ? [] : [record.nodeIpV6])].join(','),
    };
  },
} satisfies Record<Role, (layout: NodeLayout, record: NodeRecord) => object>;

const tracingFlag = (layout: NodeLayout, { settings }: NodeRecord) =>
  settings?.tracing && { tracingConfigFile: tracingFile(layout) };
