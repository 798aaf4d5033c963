import { existsSync, symlinkSync } from 'node:fs';
import { makePrivateFolder, syncFiles } from '@wherry/linux';
import { stringify } from 'yaml';
import { rolesOf, serverLayout } from '../layout/cluster.ts';
import { keepFile } from '../layout/full-disk.ts';
import type { NodeLayout, Role } from '../layout/layout.ts';
import { apiUrlOf, contextNameOf, gatewayOf, type NodeRecord } from '../layout/record.ts';
import { apiServiceAddress } from '../layout/service-range.ts';
import { diskThresholds, sizeOf } from '../machine/disk-thresholds.ts';
import { tracingDocument } from '../machine/tracing-file.ts';
import { writeKubeconfig } from '../pki/kubeconfig-file.ts';
import { nodePki } from '../pki/node-pki.ts';
import type { CertificateFile, PkiOptions } from '../pki/pki.ts';
import { dnsNames } from '../processes/dns-names.ts';
import { controllersFiles, kubeletFiles, networkKubeconfig, tracingFile } from '../processes/role-files.ts';

/** Makes the folders of a node, private to its owner, and the short link where socket paths need it. */
export function makeFolders(layout: NodeLayout, membership: Pick<NodeRecord, 'joins'>): void {
  const folders = [
    layout.dataDir,
    layout.logsDir,
    layout.volumesDir,
    kubeletFiles(layout).manifests,
    kubeletFiles(layout).podLogs,
  ];
  for (const folder of [...folders, ...rolesOf(membership).map(layout.roleDir)]) {
    makePrivateFolder(folder);
  }
  if (layout.needsShortLink && !existsSync(layout.shortLink)) symlinkSync(layout.dataDir, layout.shortLink);
}

/** The certificates of a node that joined another's cluster. */
const memberFiles: readonly CertificateFile[] = ['kubelet', 'kubelet-client', 'network', 'admin'];

/** What the certificates of a node vouch for. */
export function pkiOptions(layout: NodeLayout, record: NodeRecord): PkiOptions {
  return {
    pkiDir: layout.pkiDir,
    authorityDir: serverLayout(layout, record).pkiDir,
    ...(record.joins !== undefined && { files: memberFiles }),
    nodeName: record.name,
    nodeIp: record.nodeIp,
    apiAddresses: [gatewayOf(record), apiServiceAddress],
  };
}

/** Writes every kubeconfig and the kubelet's configuration. */
export function writeConfiguration(layout: NodeLayout, record: NodeRecord): void {
  const pki = nodePki(layout, record);
  const shared = { apiUrl: apiUrlOf(record), pki, name: contextNameOf(layout, record) };
  const files = kubeletFiles(layout);
  writeKubeconfig({ ...shared, path: layout.kubeconfig, user: 'admin' });
  writeKubeconfig({ ...shared, path: files.kubeconfig, user: 'kubelet-client' });
  writeKubeconfig({ ...shared, path: networkKubeconfig(layout), user: 'network' });
  if (record.joins === undefined) {
    const { kubeconfig, schedulerKubeconfig } = controllersFiles(layout);
    writeKubeconfig({ ...shared, path: kubeconfig, user: 'controller-manager' });
    writeKubeconfig({ ...shared, path: schedulerKubeconfig, user: 'scheduler' });
  }
  keepFile(files.configuration, stringify(kubeletConfiguration(layout, record)), { isSettledLater: true });
}

/** Waits until the certificates, kubeconfigs and the configuration that a start has written outlive the machine. */
export async function settleFiles(layout: NodeLayout, record: NodeRecord): Promise<void> {
  const configured: readonly Role[] = ['kubelet', 'network', 'controllers'];
  const roles = rolesOf(record).filter((role) => configured.includes(role));
  await Promise.all([layout.dataDir, layout.pkiDir, ...roles.map(layout.roleDir)].map(syncFiles));
}

/** Writes where spans go, if they do; the runtime reads it, which waits for no certificate. */
export function writeTracing(layout: NodeLayout, { settings }: NodeRecord): void {
  const tracing = settings?.tracing;
  if (tracing) keepFile(tracingFile(layout), stringify(tracingDocument(tracing)));
}

function kubeletConfiguration(layout: NodeLayout, record: NodeRecord) {
  const { manifests, podLogs } = kubeletFiles(layout);
  const pki = nodePki(layout, record);
  const serving = pki.certificate('kubelet');
  return {
    apiVersion: 'kubelet.config.k8s.io/v1beta1',
    kind: 'KubeletConfiguration',
    address: '0.0.0.0',
    port: record.kubeletPort,
    // One health port per machine is not enough for several nodes; the main port answers /healthz as well.
    healthzPort: 0,
    tlsCertFile: serving.cert,
    tlsPrivateKeyFile: serving.key,
    authentication: {
      anonymous: { enabled: false },
      webhook: { enabled: true },
      x509: { clientCAFile: pki.kubeletCaCert },
    },
    authorization: { mode: 'Webhook' },
    containerRuntimeEndpoint: `unix://${layout.criSocket}`,
    staticPodPath: manifests,
    podLogsDir: podLogs,
    cgroupRoot: record.cgroupRoot,
    cgroupDriver: record.cgroupDriver ?? 'cgroupfs',
    failSwapOn: false,
    // Upstream leaves it off; a node of today has no reason to run containers without any filter.
    seccompDefault: true,
    // Five files of 10 MiB, upstream's default, lose the beginning of a log of a million lines.
    containerLogMaxSize: '50Mi',
    failCgroupV1: false,
    // The disk is a person's or a test machine's, and rarely as empty as a server's: no images are taken away because it fills up.
    imageGCHighThresholdPercent: 100,
    evictionHard: { 'memory.available': '100Mi', ...diskThresholds(sizeOf(layout.dataDir)) },
    // Not the service's address: on the host network several nodes of one machine share that.
    clusterDNS: [gatewayOf(record)],
    clusterDomain: dnsNames(record).clusterDomain,
    ...(record.settings?.tracing && { tracing: record.settings.tracing }),
    ...record.settings?.kubelet,
  };
}
