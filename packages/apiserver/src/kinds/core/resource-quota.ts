import type { ServedKind } from '../definition.ts';

/** Resource quotas, which nothing here enforces. */
export const resourceQuota: ServedKind = {
  group: '',
  kind: 'ResourceQuota',
  strategy: { returnsDeleted: true },
};
