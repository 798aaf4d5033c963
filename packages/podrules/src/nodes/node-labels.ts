/** Labels that a kubelet may put on its own node (upstream: k8s.io/kubelet pkg/apis/well_known_labels.go). */
import { nodeLabelKeys } from '../well-known.ts';

/** Those of Kubernetes that stand in no namespace of kubelets or nodes. */
export const kubeletLabels: readonly string[] = Object.values(nodeLabelKeys).sort();

/** Namespaces whose labels are kubelets', with those below them. */
export const kubeletLabelNamespaces = ['kubelet.kubernetes.io', 'node.kubernetes.io'] as const;

/** Whether a label is one of Kubernetes' own (`kubernetes.io`, `k8s.io`, and what is below them) that no kubelet sets. */
export function isKeptFromKubelets(key: string): boolean {
  const slash = key.indexOf('/');
  const namespace = slash < 0 ? '' : key.slice(0, slash);
  const within = (domain: string) => namespace === domain || namespace.endsWith(`.${domain}`);
  if (!within('kubernetes.io') && !within('k8s.io')) return false;
  return !kubeletLabels.includes(key) && !kubeletLabelNamespaces.some(within);
}
