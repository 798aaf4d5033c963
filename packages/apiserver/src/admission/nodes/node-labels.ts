/** Labels that a kubelet may put on its own node (upstream: k8s.io/kubelet pkg/apis/well_known_labels.go). */
import { nodeLabelKeys } from '@wherry/podrules';

const kubeletLabels: ReadonlySet<string> = new Set(Object.values(nodeLabelKeys));

type Labels = Readonly<Record<string, string>> | undefined;

/** Labels that differ between the two and that a kubelet may not set, sorted. */
export function forbiddenLabels(next: Labels, previous: Labels): string[] {
  const after = new Map(Object.entries(next ?? {}));
  const before = new Map(Object.entries(previous ?? {}));
  const keys = new Set([...after.keys(), ...before.keys()]);
  return [...keys].filter((key) => after.get(key) !== before.get(key) && isForbidden(key)).sort();
}

function isForbidden(key: string): boolean {
  const slash = key.indexOf('/');
  const prefix = slash < 0 ? '' : key.slice(0, slash);
  const within = (domain: string) => prefix === domain || prefix.endsWith(`.${domain}`);
  if (within('node-restriction.kubernetes.io')) return true;
  if (!within('kubernetes.io') && !within('k8s.io')) return false;
  const isKubelets =
    kubeletLabels.has(key) || within('kubelet.kubernetes.io') || within('node.kubernetes.io');
  return !isKubelets;
}
