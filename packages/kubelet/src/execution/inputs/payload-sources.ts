import type { ConfigMap, Secret } from '@wherry/kubeapi';
import type { AssignedPod } from '../../pod/assigned-pod.ts';
import type { TokenManager } from './token-manager.ts';

/** Where the content of volumes comes from. */
export interface PayloadSources {
  pod: AssignedPod;
  podIps: readonly string[];
  hostIps: readonly string[];
  nodeAllocatable: Readonly<Record<string, string>>;
  configMap(name: string): Promise<ConfigMap | undefined>;
  secret(name: string): Promise<Secret | undefined>;
  /** Undefined for a kubelet without an API server. */
  tokens: TokenManager | undefined;
  signal: AbortSignal;
}
