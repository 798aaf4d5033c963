/** Pod disruption budgets. */

import type { PodDisruptionBudget } from '../../generated/types.ts';
import { child, type FieldError, invalidValue, notSupported } from '../../status/field-error.ts';
import { age } from '../../table/human-duration.ts';
import { ageColumn, column, nameColumn, type Printer } from '../../table/printer.ts';
import { validateConditions } from '../../validation/conditions.ts';
import { validateCounts } from '../../validation/counts.ts';
import { pathSegment } from '../../validation/formats.ts';
import { atMostAll, positiveOrPercent } from '../../validation/int-or-percent.ts';
import { isInvalidSelector, validateSelector } from '../../validation/metadata.ts';
import type { KindDefinition } from '../definition.ts';

const printer: Printer<PodDisruptionBudget> = {
  columns: [
    ...[
      nameColumn,
      column('Min Available'),
      column('Max Unavailable'),
      column('Allowed Disruptions', 'integer'),
    ],
    ageColumn,
  ],
  cells: ({ metadata, spec, status }, nowMs) => [
    ...[metadata.name ?? '', String(spec.minAvailable ?? 'N/A'), String(spec.maxUnavailable ?? 'N/A')],
    ...[status?.disruptionsAllowed ?? 0, age(metadata.creationTimestamp, nowMs)],
  ],
};

/** Pod disruption budgets. */
export const podDisruptionBudget: KindDefinition<PodDisruptionBudget> = {
  group: 'policy',
  kind: 'PodDisruptionBudget',
  // Upstream looks no closer.
  nameFormat: pathSegment,
  printer,
  validate: validateBudget,
  validateUpdate: validateBudget,
  validateSubresource: {
    status: ({ status }) => [
      ...validateConditions(status?.conditions, 'status.conditions'),
      ...validateCounts(status, ['disruptionsAllowed', 'currentHealthy', 'desiredHealthy', 'expectedPods']),
    ],
  },
  descriptions: {
    PodDisruptionBudget: { '': 'Says how many pods may be taken away at once on purpose.' },
  },
};

const policies = ['AlwaysAllow', 'IfHealthyBudget'];

/** Violations in a budget: one bound, as a number or a share. */
function validateBudget({ spec = {} }: PodDisruptionBudget, previous?: PodDisruptionBudget): FieldError[] {
  const { minAvailable, maxUnavailable, unhealthyPodEvictionPolicy: policy } = spec;
  const areBoth = minAvailable !== undefined && maxUnavailable !== undefined;
  return [
    ...(areBoth ? [invalidValue('spec', {}, 'minAvailable and maxUnavailable cannot be both set')] : []),
    ...Object.entries({ minAvailable, maxUnavailable }).flatMap(([name, value]) => [
      ...positiveOrPercent(child('spec', name), value),
      ...atMostAll(child('spec', name), value),
    ]),
    ...validateSelector(spec.selector, 'spec.selector', isInvalidSelector(previous?.spec?.selector)),
    ...(policy !== undefined && !policies.includes(policy)
      ? [notSupported('spec.unhealthyPodEvictionPolicy', policy, policies)]
      : []),
  ];
}
