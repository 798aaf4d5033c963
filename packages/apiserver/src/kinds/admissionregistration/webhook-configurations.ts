import { loadPatternEngine } from '@wherry/kubeapi';
import type { Strategy } from '../../objects/strategy.ts';
import type { ServedKind } from '../definition.ts';
import { reservedNames } from './reserved-names.ts';

const group = 'admissionregistration.k8s.io';
const strategy: Strategy = {
  desired: ({ webhooks }) => webhooks,
  ...reservedNames,
  needsVersionOnUpdate: true,
  // Their conditions may have patterns.
  ready: loadPatternEngine,
};

/** Webhooks that change writes. */
export const mutatingWebhookConfiguration: ServedKind = {
  ...{ group, strategy },
  kind: 'MutatingWebhookConfiguration',
};

/** Webhooks that look at writes. */
export const validatingWebhookConfiguration: ServedKind = {
  ...{ group, strategy },
  kind: 'ValidatingWebhookConfiguration',
};
