/** Webhooks that look at writes. */
import type { JsonObject } from '../../json/json-value.ts';
import type { KindDefinition } from '../definition.ts';

/** What every webhook does unless told otherwise. */
export const webhookDefaults: JsonObject = {
  failurePolicy: 'Fail',
  matchPolicy: 'Equivalent',
  namespaceSelector: {},
  objectSelector: {},
  timeoutSeconds: 10,
};

/** Webhooks that look at writes. */
export const validatingWebhookConfiguration: KindDefinition = {
  group: 'admissionregistration.k8s.io',
  kind: 'ValidatingWebhookConfiguration',
  defaults: {
    ValidatingWebhook: webhookDefaults,
    Rule: { scope: '*' },
    ServiceReference: { port: 443 },
  },
};
