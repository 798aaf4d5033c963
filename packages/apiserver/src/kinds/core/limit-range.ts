import type { ServedKind } from '../definition.ts';

/** Limit ranges. */
export const limitRange: ServedKind = {
  group: '',
  kind: 'LimitRange',
  strategy: { createsOnUpdate: true },
};
