import {
  LabelMatcher,
  labelValueFormat,
  type Node,
  type NodeSelectorRequirement,
  type NodeSelectorTerm,
  ownValue,
  type PersistentVolume,
  qualifiedName,
} from '@wherry/kubeapi/objects';
import type { PodView } from '../amounts.ts';

/** How the selectors of kubeapi spell the operators of node selectors. */
const operators = {
  In: 'In',
  NotIn: 'NotIn',
  Exists: 'Exists',
  DoesNotExist: 'DoesNotExist',
  Gt: 'GreaterThan',
  Lt: 'LessThan',
} as const;

type Labels = Record<string, string>;

/** Whether a requirement makes sense; the API server stores no others (apimachinery labels.NewRequirement). */
function isReadable({ key, operator, values = [] }: NodeSelectorRequirement): boolean {
  if (qualifiedName(key).length > 0 || values.some((value) => labelValueFormat(value).length > 0))
    return false;
  if (operator === 'In' || operator === 'NotIn') return values.length > 0;
  if (operator === 'Exists' || operator === 'DoesNotExist') return values.length === 0;
  return Object.hasOwn(operators, operator) && values.length === 1 && /^[+-]?\d+$/.test(values[0]!);
}

function matchesLabels(labels: Labels, requirements: readonly NodeSelectorRequirement[]): boolean {
  if (!requirements.every(isReadable)) return false;
  const selector = requirements.map(({ key, operator, values = [] }) => ({
    key,
    operator: operators[operator],
    values,
  }));
  return new LabelMatcher(selector).matches(labels);
}

/** A node has one field, its name; what else is asked for is the empty text. */
function matchesFields(name: string, requirements: readonly NodeSelectorRequirement[]): boolean {
  return requirements.every(({ key, operator, values = [] }) => {
    if (values.length !== 1 || (operator !== 'In' && operator !== 'NotIn')) return false;
    return (values[0] === (key === 'metadata.name' ? name : '')) === (operator === 'In');
  });
}

/** An empty term matches nothing, and neither does one that can't be read. */
function matchesTerm(
  { metadata }: Node,
  { matchExpressions = [], matchFields = [] }: NodeSelectorTerm,
): boolean {
  if (matchExpressions.length + matchFields.length === 0) return false;
  return (
    matchesLabels(metadata?.labels ?? {}, matchExpressions) &&
    matchesFields(metadata?.name ?? '', matchFields)
  );
}

/**
 * Whether the node has every label of `nodeSelector` and fits one term of the required node affinity
 * (k8s.io/component-helpers nodeaffinity.RequiredNodeAffinity).
 */
export function matchesNodeAffinity({ spec }: PodView, node: Node): boolean {
  const labels = node.metadata?.labels ?? {};
  const selector = Object.entries(spec?.nodeSelector ?? {});
  if (!selector.every(([key, value]) => ownValue(labels, key) === value)) return false;
  const required = spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  return !required || required.nodeSelectorTerms.some((term) => matchesTerm(node, term));
}

/** The summed weight of the preferred terms that the node fits. */
export function nodePreference({ spec }: PodView, node: Node): number {
  const preferred = spec?.affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
  return preferred
    .filter(({ preference }) => matchesTerm(node, preference))
    .reduce((sum, { weight }) => sum + weight, 0);
}

/** Whether a volume can be reached from the node. */
export function volumeReaches({ spec }: PersistentVolume, node: Node): boolean {
  const required = spec.nodeAffinity?.required;
  return !required || required.nodeSelectorTerms.some((term) => matchesTerm(node, term));
}
