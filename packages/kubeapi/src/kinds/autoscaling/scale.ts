/** What clients say about the number of replicas of anything. */
import type { Scale } from '../../generated/types.ts';
import { age } from '../../table/human-duration.ts';
import { ageColumn, column, nameColumn, type Printer } from '../../table/printer.ts';
import { nonNegative } from '../../validation/metadata.ts';
import type { KindDefinition } from '../definition.ts';

const printer: Printer<Scale> = {
  columns: [
    { ...nameColumn, format: '' },
    column('Desired', 'integer'),
    column('Available', 'integer'),
    ageColumn,
  ],
  cells: ({ metadata, spec, status }, nowMs) => [
    ...[metadata.name ?? '', spec?.replicas ?? 0, status?.replicas ?? 0],
    age(metadata.creationTimestamp, nowMs),
  ],
};

/** What clients say about the number of replicas of anything. */
export const scale: KindDefinition<Scale> = {
  group: 'autoscaling',
  kind: 'Scale',
  printer,
  validate: ({ spec }) => nonNegative('spec.replicas', spec?.replicas),
  descriptions: {
    Scale: { '': 'How many replicas something should have, and has.' },
    ScaleSpec: { replicas: 'How many there should be.' },
    ScaleStatus: { replicas: 'How many there are.', selector: 'Selects them, as a query.' },
  },
};
