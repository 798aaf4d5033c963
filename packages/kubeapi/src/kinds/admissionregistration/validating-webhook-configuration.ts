/** Webhooks that look at writes. */
import type { ValidatingWebhookConfiguration } from '../../generated/types.ts';
import type { JsonObject } from '../../json/json-value.ts';
import { age } from '../../table/human-duration.ts';
import { ageColumn, column, nameColumn, type Printer } from '../../table/printer.ts';
import type { KindDefinition } from '../definition.ts';
import { webhookErrors } from './webhook-rules.ts';

/** What every webhook does unless told otherwise. */
export const webhookDefaults: JsonObject = {
  failurePolicy: 'Fail',
  matchPolicy: 'Equivalent',
  namespaceSelector: {},
  objectSelector: {},
  timeoutSeconds: 10,
};

/** Of configurations of either kind. */
export const webhookPrinter: Printer<
  Pick<ValidatingWebhookConfiguration, 'metadata'> & { webhooks?: unknown[] }
> = {
  columns: [nameColumn, column('Webhooks', 'integer'), ageColumn],
  cells: ({ metadata, webhooks = [] }, nowMs) => [
    metadata.name ?? '',
    webhooks.length,
    age(metadata.creationTimestamp, nowMs),
  ],
};

/** Webhooks that look at writes. */
export const validatingWebhookConfiguration: KindDefinition<ValidatingWebhookConfiguration> = {
  group: 'admissionregistration.k8s.io',
  kind: 'ValidatingWebhookConfiguration',
  printer: webhookPrinter,
  validate: ({ webhooks = [] }) => webhookErrors(webhooks),
  validateUpdate: ({ webhooks = [] }, previous) => webhookErrors(webhooks, previous.webhooks),
  defaults: {
    ValidatingWebhook: webhookDefaults,
    Rule: { scope: '*' },
    ServiceReference: { port: 443 },
  },
};
