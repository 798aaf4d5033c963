import type { JsonObject } from '@wherry/kubeapi';
import { isLocal, localCondition } from '../../aggregation/verdicts.ts';
import type { ServedKind } from '../definition.ts';

/** Parts of the API that another server answers for; what this one answers is there at once. */
export const apiService: ServedKind = {
  group: 'apiregistration.k8s.io',
  kind: 'APIService',
  strategy: {
    needsVersionOnUpdate: true,
    prepareCreate(object, _user, nowText) {
      const conditions = isLocal(object) ? { conditions: [localCondition(nowText)] } : {};
      object['status'] = conditions as unknown as JsonObject;
    },
    statusKeeps: 'metadata',
  },
};
