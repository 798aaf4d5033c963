import { isDeepStrictEqual } from 'node:util';
import type { CSIDriver } from '@wherry/kubeapi';
import { type ApiObject, as } from '../../objects/api-object.ts';
import { specGenerations } from '../../objects/strategy.ts';
import type { ServedKind } from '../definition.ts';

const exposedTokens =
  'spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, set to true to prevent possible logging of tokens in volume attributes';

/** CSI drivers. */
export const csiDriver: ServedKind = {
  group: 'storage.k8s.io',
  kind: 'CSIDriver',
  strategy: {
    ...specGenerations,
    isBornWithoutGeneration: true,
    returnsDeleted: true,
    needsVersionOnUpdate: true,
    prepareCreate: (object) => dropScheduling(object, undefined),
    prepareUpdate: dropScheduling,
    warningsOf(object, previous) {
      const { tokenRequests = [], serviceAccountTokenInSecrets } = as<CSIDriver>(object).spec;
      const before = (previous && as<CSIDriver>(previous).spec.tokenRequests) ?? [];
      if (tokenRequests.length === 0 || serviceAccountTokenInSecrets !== undefined) return [];
      return isDeepStrictEqual(tokenRequests, before) ? [] : [exposedTokens];
    },
  },
};

/** The scheduler does not look for drivers (upstream: VolumeLimitScaling, which is off): only what was there stays. */
function dropScheduling(object: ApiObject, previous: ApiObject | undefined): void {
  if (previous && as<CSIDriver>(previous).spec.preventPodSchedulingIfMissing !== undefined) return;
  delete as<CSIDriver>(object).spec.preventPodSchedulingIfMissing;
}
