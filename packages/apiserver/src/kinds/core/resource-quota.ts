import { parseQuantity, type ResourceQuota } from '@wherry/kubeapi';
import { as } from '../../objects/api-object.ts';
import type { ServedKind } from '../definition.ts';

/** Resource quotas. */
export const resourceQuota: ServedKind = {
  group: '',
  kind: 'ResourceQuota',
  strategy: {
    returnsDeleted: true,
    warningsOf: (object, previous) => (previous ? [] : reversedAmounts(as<ResourceQuota>(object))),
  },
};

/** Whoever may ask for more than use it has turned the two around. */
function reversedAmounts({ spec }: ResourceQuota): string[] {
  const hard = new Map(Object.entries(spec?.hard ?? {}));
  return ['cpu', 'memory', 'storage', 'ephemeral-storage'].flatMap((resource) => {
    const long = `requests.${resource}`;
    const hasShort = resource === 'cpu' || resource === 'memory';
    const name = hasShort && !hard.has(long) ? resource : long;
    const [request, limit] = [hard.get(name), hard.get(`limits.${resource}`)];
    if (request === undefined || limit === undefined) return [];
    if (parseQuantity(request).cmp(parseQuantity(limit)) <= 0) return [];
    return [`ResourceQuota ${name} (${request}) should be less than limits.${resource} (${limit})`];
  });
}
