import type { PodDisruptionBudget } from '@wherry/kubeapi';
import type { Surroundings } from '../surroundings.ts';
import { headLines, selectorOrNone } from '../text/labels.ts';
import { field, indented, type Lines } from '../text/lines.ts';

/** A disruption budget: how many pods may go now. */
export async function describeDisruptionBudget(
  budget: PodDisruptionBudget,
  surroundings: Surroundings,
): Promise<Lines> {
  const { metadata, spec, status } = budget;
  const { minAvailable, maxUnavailable, selector } = spec ?? {};
  const bound =
    minAvailable === undefined
      ? maxUnavailable === undefined
        ? []
        : [field('Max unavailable', maxUnavailable)]
      : [field('Min available', minAvailable)];
  return [
    ...headLines(metadata),
    ...bound,
    field('Selector', selector ? selectorOrNone(selector) : '<unset>'),
    'Status:',
    ...indented(
      [
        field('Allowed disruptions', status?.disruptionsAllowed ?? 0),
        field('Current', status?.currentHealthy ?? 0),
        field('Desired', status?.desiredHealthy ?? 0),
        field('Total', status?.expectedPods ?? 0),
      ],
      2,
    ),
    ...(await surroundings.events(budget)),
  ];
}
