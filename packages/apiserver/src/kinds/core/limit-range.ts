import type { ServedKind } from '../definition.ts';

/** Limit ranges, which nothing here enforces. */
export const limitRange: ServedKind = {
  group: '',
  kind: 'LimitRange',
  strategy: { createsOnUpdate: true },
};
