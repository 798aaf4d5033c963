import { startKubelet } from '@wherry/kubelet';
import type { KubeletConfigurationFlags } from './flags/nodes/kubelet-flags.ts';
import type { ShownFlags } from './flags/shown-flags.ts';
import { holdKubeletLock } from './kubelet-lock.ts';
import { roleLogger, runUntilSignal, type Verbosity } from './run-role.ts';

/** Flags of `wherry kubelet`, as commander hands them over. */
export interface KubeletFlags extends ShownFlags, KubeletConfigurationFlags {
  config?: string;
  configDir?: string;
  kubeconfig?: string;
  bootstrapKubeconfig?: string;
  rootDir: string;
  certDir?: string;
  hostnameOverride?: string;
  nodeIp?: string;
  cloudProvider?: string;
  nodeLabels?: string[];
  imageCredentialProviderConfig?: string;
  imageCredentialProviderBinDir?: string;
  runtimeCgroups?: string;
  lockFile?: string;
  exitOnLockContention?: boolean;
}

/** Runs the kubelet until it is signalled. */
export async function kubelet({ v, ...options }: KubeletFlags & Verbosity): Promise<void> {
  let verbosity = v;
  const logger = roleLogger('kubelet', () => verbosity);
  const setVerbosity = (level: number) => {
    verbosity = level;
  };
  using lock = await holdKubeletLock({ ...options, logger });
  const kubelet = await startKubelet({ ...options, ownsProcess: true, logger, setVerbosity });
  const close = async () => {
    await kubelet.close();
    lock[Symbol.dispose]();
  };
  await runUntilSignal(logger, close, lock.contended);
}
