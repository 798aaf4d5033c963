import {
  LabelMatcher,
  type Node,
  type NodeSelectorRequirement,
  type NodeSelectorTerm,
  ownValue,
  type Pod,
} from '@wherry/kubeapi';

/** How the selectors of kubeapi spell the operators of node selectors. */
const operators = {
  In: 'In',
  NotIn: 'NotIn',
  Exists: 'Exists',
  DoesNotExist: 'DoesNotExist',
  Gt: 'GreaterThan',
  Lt: 'LessThan',
} as const;

function matchesRequirements(
  labels: Record<string, string>,
  requirements: NodeSelectorRequirement[],
): boolean {
  if (!requirements.every(({ operator }) => Object.hasOwn(operators, operator))) return false;
  const selector = requirements.map(({ key, operator, values = [] }) => ({
    key,
    operator: operators[operator],
    values,
  }));
  return new LabelMatcher(selector).matches(labels);
}

function matchesTerm(node: Node, term: NodeSelectorTerm): boolean {
  const { matchExpressions = [], matchFields = [] } = term;
  if (matchExpressions.length + matchFields.length === 0) return false;
  const fields = { 'metadata.name': node.metadata?.name ?? '' };
  return (
    matchesRequirements(node.metadata?.labels ?? {}, matchExpressions) &&
    matchFields.every(({ key }) => Object.hasOwn(fields, key)) &&
    matchesRequirements(fields, matchFields)
  );
}

/** Whether the node has every label of `nodeSelector` and fits one term of the required node affinity. */
export function matchesNodeAffinity(pod: Pod, node: Node): boolean {
  const labels = node.metadata?.labels ?? {};
  const selector = Object.entries(pod.spec?.nodeSelector ?? {});
  if (!selector.every(([key, value]) => ownValue(labels, key) === value)) return false;
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
