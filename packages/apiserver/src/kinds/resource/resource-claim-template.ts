import { loadPatternEngine } from '@wherry/kubeapi';
import type { ServedKind } from '../definition.ts';

/** Templates of claims on devices. */
export const resourceClaimTemplate: ServedKind = {
  group: 'resource.k8s.io',
  kind: 'ResourceClaimTemplate',
  // Their selectors may have patterns.
  strategy: { ready: loadPatternEngine, returnsDeleted: true },
};
