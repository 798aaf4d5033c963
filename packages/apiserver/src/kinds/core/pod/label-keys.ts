import { type LabelSelector, ownValue, type PodSpec } from '@wherry/kubeapi';

type Operator = 'In' | 'NotIn';
type Labels = Readonly<Record<string, string>>;

/**
 * Adds the values that a new pod's own labels have to the selectors of its affinity and spread: `matchLabelKeys` are to be
 * the same, `mismatchLabelKeys` others. Where there is no selector, which selects nothing, nothing is added.
 */
export function mergeLabelKeys(spec: PodSpec, labels: Labels): void {
  const { podAffinity, podAntiAffinity } = spec.affinity ?? {};
  const terms = [podAffinity, podAntiAffinity].flatMap((affinity) => [
    ...(affinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []),
    ...(affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(
      ({ podAffinityTerm }) => podAffinityTerm,
    ),
  ]);
  for (const { labelSelector, matchLabelKeys, mismatchLabelKeys } of terms) {
    add(labelSelector, 'In', valuesOf(matchLabelKeys, labels));
    add(labelSelector, 'NotIn', valuesOf(mismatchLabelKeys, labels));
  }
  for (const { labelSelector, matchLabelKeys } of spec.topologySpreadConstraints ?? [])
    add(labelSelector, 'In', valuesOf(matchLabelKeys, labels));
}

function valuesOf(keys: readonly string[] = [], labels: Labels): [key: string, value: string][] {
  return keys.flatMap((key): [string, string][] => {
    const value = ownValue(labels, key);
    return value === undefined ? [] : [[key, value]];
  });
}

function add(selector: LabelSelector | undefined, operator: Operator, wanted: [string, string][]): void {
  if (!selector || wanted.length === 0) return;
  const added = wanted.map(([key, value]) => ({ key, operator, values: [value] }));
  selector.matchExpressions = [...(selector.matchExpressions ?? []), ...added];
}
