import type { ConfigMap, PersistentVolume, Secret } from '@wherry/kubeapi';
import type { AssignedPod } from '../../pod/assigned-pod.ts';
import type { ClaimName } from './claimed-volume.ts';
import type { TokenManager } from './token-manager.ts';

/** Where the content of volumes comes from. */
export interface PayloadSources {
  pod: AssignedPod;
  podIps: readonly string[];
  hostIps: readonly string[];
  nodeAllocatable: Readonly<Record<string, string>>;
  configMap(name: string): Promise<ConfigMap | undefined>;
  secret(name: string): Promise<Secret | undefined>;
  /** A secret of any namespace that a volume names. Throws when there is none. */
  secretOf(namespace: string, name: string): Promise<Secret>;
  /** The volume that a claim is bound to. Throws while it is bound to none. */
  claimedVolume(claim: ClaimName): Promise<PersistentVolume>;
  /** Undefined for a kubelet without an API server. */
  tokens: TokenManager | undefined;
  signal: AbortSignal;
}
