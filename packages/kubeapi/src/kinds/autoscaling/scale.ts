/** What clients say about the number of replicas of anything. */
import type { Scale } from '../../generated/types.ts';
import { nonNegative } from '../../validation/metadata.ts';
import type { KindDefinition } from '../definition.ts';

/** What clients say about the number of replicas of anything. */
export const scale: KindDefinition<Scale> = {
  group: 'autoscaling',
  kind: 'Scale',
  validate: ({ spec }) => nonNegative('spec.replicas', spec?.replicas),
  descriptions: {
    Scale: { '': 'How many replicas something should have, and has.' },
    ScaleSpec: { replicas: 'How many there should be.' },
    ScaleStatus: { replicas: 'How many there are.', selector: 'Selects them, as a query.' },
  },
};
