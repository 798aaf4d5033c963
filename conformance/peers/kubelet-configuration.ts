import { join } from 'node:path';

/** What differs between the kubelets of these tests. */
export interface KubeletConfigurationOptions {
  port: number;
  /** CRI socket, as a URL. */
  endpoint: string;
  cgroupRoot: string;
  podLogsDir: string;
  /** Folder of a node of ours that lends its certificates. */
  pki: string;
}

/** A KubeletConfiguration, ours and upstream's alike, with the certificates of a node of ours. */
export function kubeletConfiguration(options: KubeletConfigurationOptions) {
  const { port, endpoint, cgroupRoot, podLogsDir, pki } = options;
  return {
    apiVersion: 'kubelet.config.k8s.io/v1beta1',
    kind: 'KubeletConfiguration',
    port,
    healthzPort: 0,
    tlsCertFile: join(pki, 'kubelet.crt'),
    tlsPrivateKeyFile: join(pki, 'kubelet.key'),
    authentication: { webhook: { enabled: true }, x509: { clientCAFile: join(pki, 'kubelet-ca.crt') } },
    authorization: { mode: 'Webhook' },
    containerRuntimeEndpoint: endpoint,
    podLogsDir,
    cgroupDriver: 'cgroupfs',
    cgroupRoot,
    failSwapOn: false,
    failCgroupV1: false,
    // The machine's disk may be fuller than a server's: that is not what these tests are about.
    imageGCHighThresholdPercent: 100,
    evictionHard: { 'memory.available': '100Mi' },
  };
}
