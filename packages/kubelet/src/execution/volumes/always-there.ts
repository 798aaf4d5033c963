import type { Volume, VolumeProjection } from '@wherry/kubeapi';

/** The authority of the cluster's API server, which every namespace has. */
const rootAuthority = 'kube-root-ca.crt';

/**
 * Whether nothing that a volume is made of can be missing: what the kubelet makes by itself, and what tokens of a pod's account
 * stand beside. What is made besides need not wait for it.
 */
export function isAlwaysThere({ name: _name, ...source }: Volume): boolean {
  const { emptyDir, downwardAPI, projected } = source;
  if (projected) return (projected.sources ?? []).every(isAtHand);
  return emptyDir !== undefined || downwardAPI !== undefined;
}

const isAtHand = ({ serviceAccountToken, downwardAPI, configMap }: VolumeProjection) =>
  serviceAccountToken !== undefined || downwardAPI !== undefined || configMap?.name === rootAuthority;
