import type { ServedKind } from '../definition.ts';

/** Resource quotas. */
export const resourceQuota: ServedKind = {
  group: '',
  kind: 'ResourceQuota',
  strategy: { returnsDeleted: true },
};
