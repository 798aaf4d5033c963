import type { ServedKind } from '../definition.ts';

/** Endpoints. */
export const endpoints: ServedKind = {
  group: '',
  kind: 'Endpoints',
  strategy: { createsOnUpdate: true },
};
