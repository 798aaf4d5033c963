import { periods } from '../../limits.ts';
import type { ServedKind } from '../definition.ts';

/** Events of the core group. */
export const event: ServedKind = {
  group: '',
  kind: 'Event',
  strategy: { lifetimeMs: periods.eventLifetimeMs, createsOnUpdate: true },
};
