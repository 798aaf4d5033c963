import type { PodSchedulingGroup, Toleration, TopologySpreadConstraint } from '@wherry/kubeapi';
import { selectorOrNone } from '../text/labels.ts';
import { field, given, type Lines, stacked } from '../text/lines.ts';
import { sortedBy } from '../text/values.ts';

/** Which taints a pod stands, by their keys. */
export const tolerationLines = (title: string, tolerations: readonly Toleration[] | undefined): Lines =>
  stacked(title, sortedBy(tolerations, ({ key = '' }) => key).map(tolerationText));

function tolerationText({ key = '', value, effect, operator, tolerationSeconds }: Toleration): string {
  const taint = `${key}${value ? `=${value}` : ''}${effect ? `:${effect}` : ''}`;
  const exists = operator === 'Exists' && !value ? `${taint === '' ? '' : ' '}op=Exists` : '';
  return `${taint}${exists}${tolerationSeconds === undefined ? '' : ` for ${tolerationSeconds}s`}`;
}

/** How evenly pods are spread. */
export function spreadLines(
  margin: string,
  constraints: readonly TopologySpreadConstraint[] | undefined = [],
): Lines {
  if (constraints.length === 0) return [];
  const [first, ...more] = sortedBy(constraints, ({ topologyKey }) => topologyKey).map(
    ({ topologyKey, whenUnsatisfiable, maxSkew, labelSelector }) => {
      const of = labelSelector ? ` for selector ${selectorOrNone(labelSelector)}` : '';
      return `${topologyKey}:${whenUnsatisfiable} when max skew ${maxSkew} is exceeded${of}`;
    },
  );
  return [field(`${margin}Topology Spread Constraints`, first), ...more.map((text) => `${margin}\t${text}`)];
}

/** The group that a pod is scheduled with. */
export const groupLines = (margin: string, group: PodSchedulingGroup | undefined): Lines =>
  group ? [`${margin}SchedulingGroup:`, ...given('  PodGroupName', group.podGroupName)] : [];
