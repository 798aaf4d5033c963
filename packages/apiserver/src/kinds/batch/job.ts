import type { ServedKind } from '../definition.ts';

/** Jobs, which nothing here acts on. */
export const job: ServedKind = {
  group: 'batch',
  kind: 'Job',
  strategy: { orphansByDefault: true },
};
