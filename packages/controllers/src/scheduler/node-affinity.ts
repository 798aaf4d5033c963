import type { Node, NodeSelectorRequirement, NodeSelectorTerm, Pod } from '@wherry/kubeapi';

function matchesRequirement(value: string | undefined, requirement: NodeSelectorRequirement): boolean {
  const { operator, values = [] } = requirement;
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    case 'Gt':
      return Number(value) > Number(values[0]);
    case 'Lt':
      return Number(value) < Number(values[0]);
    default:
      return false;
  }
}

function matchesTerm(node: Node, term: NodeSelectorTerm): boolean {
  const { matchExpressions = [], matchFields = [] } = term;
  if (matchExpressions.length + matchFields.length === 0) return false;
  const labels = node.metadata?.labels ?? {};
  return (
    matchExpressions.every((requirement) => matchesRequirement(labels[requirement.key], requirement)) &&
    matchFields.every(
      (requirement) =>
        requirement.key === 'metadata.name' && matchesRequirement(node.metadata?.name, requirement),
    )
  );
}

/** Whether the node has every label of `nodeSelector` and fits one term of the required node affinity. */
export function matchesNodeAffinity(pod: Pod, node: Node): boolean {
  const labels = node.metadata?.labels ?? {};
  const selector = Object.entries(pod.spec?.nodeSelector ?? {});
  if (!selector.every(([key, value]) => labels[key] === value)) return false;
  const required = pod.spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  return !required || required.nodeSelectorTerms.some((term) => matchesTerm(node, term));
}

/** The summed weight of the preferred terms that the node fits. */
export function nodePreference(pod: Pod, node: Node): number {
  const preferred = pod.spec?.affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
  return preferred
    .filter(({ preference }) => matchesTerm(node, preference))
    .reduce((sum, { weight }) => sum + weight, 0);
}
