import { randomUUID } from 'node:crypto';
import type { ServedKind } from '../definition.ts';

/** Limit ranges. */
export const limitRange: ServedKind = {
  group: '',
  kind: 'LimitRange',
  strategy: {
    createsOnUpdate: true,
    // One without a name gets one.
    normalize: ({ metadata }) => {
      if (!metadata.name && !metadata.generateName) metadata.name = randomUUID();
    },
  },
};
