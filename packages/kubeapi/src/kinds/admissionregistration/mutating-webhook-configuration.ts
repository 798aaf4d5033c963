/** Webhooks that change writes. */

import type { KindDefinition } from '../definition.ts';
import { webhookDefaults } from './validating-webhook-configuration.ts';

/** Webhooks that change writes. */
export const mutatingWebhookConfiguration: KindDefinition = {
  group: 'admissionregistration.k8s.io',
  kind: 'MutatingWebhookConfiguration',
  defaults: {
    MutatingWebhook: { ...webhookDefaults, reinvocationPolicy: 'Never' },
  },
};
