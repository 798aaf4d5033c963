/** Pod disruption budgets. */
import type { PodDisruptionBudget } from '../../generated/types.ts';
import { age } from '../../table/human-duration.ts';
import { ageColumn, column, nameColumn, type Printer } from '../../table/printer.ts';
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
  printer,
  descriptions: {
    PodDisruptionBudget: { '': 'Says how many pods may be taken away at once on purpose.' },
  },
};
