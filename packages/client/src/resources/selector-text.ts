import type { LabelSelector } from '@wherry/kubeapi/objects';

/** A label selector as the query parameter spells it. */
export function selectorText({ matchLabels = {}, matchExpressions = [] }: LabelSelector): string {
  const equalities = Object.entries(matchLabels).map(([key, value]) => `${key}=${value}`);
  const expressions = matchExpressions.map(({ key, operator, values = [] }) => {
    if (operator === 'Exists') return key;
    if (operator === 'DoesNotExist') return `!${key}`;
    return `${key} ${operator.toLowerCase()} (${values.join(',')})`;
  });
  return [...equalities, ...expressions].join(',');
}
