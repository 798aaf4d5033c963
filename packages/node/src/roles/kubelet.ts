import { kubeletVersion, startKubelet } from '@wherry/kubelet';
import { holdKubeletLock } from './kubelet-lock.ts';
import { roleLogger, runUntilSignal, type Verbosity } from './run-role.ts';

/** Flags of `wherry kubelet`, as commander hands them over. */
export interface KubeletFlags {
  config?: string;
  configDir?: string;
  kubeconfig?: string;
  bootstrapKubeconfig?: string;
  rootDir: string;
  certDir?: string;
  hostnameOverride?: string;
  nodeIp?: string;
  nodeLabels?: string[];
  imageCredentialProviderConfig?: string;
  imageCredentialProviderBinDir?: string;
  containerRuntimeEndpoint?: string;
  podManifestPath?: string;
  runtimeCgroups?: string;
  lockFile?: string;
  exitOnLockContention?: boolean;
  registerWithTaints?: string[];
  version?: boolean;
}

/** Runs the kubelet until it is signalled, or tells its version as upstream's does. */
export async function kubelet({ v, version, ...options }: KubeletFlags & Verbosity): Promise<void> {
  if (version) return console.log(`Kubernetes ${kubeletVersion}`);
  let verbosity = v;
  const logger = roleLogger('kubelet', () => verbosity);
  const setVerbosity = (level: number) => {
    verbosity = level;
  };
  const flags = shownFlags({ ...options, v });
  using lock = await holdKubeletLock({ ...options, logger });
  const kubelet = await startKubelet({ ...options, ownsProcess: true, logger, flags, setVerbosity });
  const close = async () => {
    await kubelet.close();
    lock[Symbol.dispose]();
  };
  await runUntilSignal(logger, close, lock.contended);
}

/** Flags as they are typed, with their values. */
function shownFlags(values: KubeletFlags & Verbosity): Record<string, string> {
  const typed = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const entries = Object.entries<string | number | boolean | string[]>({ ...values });
  return Object.fromEntries(entries.map(([name, value]) => [typed(name), String(value)]));
}
