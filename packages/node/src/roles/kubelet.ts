import { startKubelet } from '@wherry/kubelet';
import { roleLogger, runUntilSignal, type Verbosity } from './run-role.ts';

/** Flags of `wherry kubelet`, as commander hands them over. */
export interface KubeletFlags {
  config?: string;
  kubeconfig?: string;
  rootDir: string;
  certDir?: string;
  hostnameOverride?: string;
  nodeIp?: string;
  nodeLabels?: string[];
  containerRuntimeEndpoint?: string;
  podManifestPath?: string;
}

/** Runs the kubelet until it is signalled. */
export async function kubelet({ v, ...options }: KubeletFlags & Verbosity): Promise<void> {
  const logger = roleLogger('kubelet', v);
  const kubelet = await startKubelet({ ...options, ownsProcess: true, logger });
  await runUntilSignal(logger, () => kubelet.close());
}
