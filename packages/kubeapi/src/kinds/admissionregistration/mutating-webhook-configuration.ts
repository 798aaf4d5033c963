/** Webhooks that change writes. */
import type { MutatingWebhookConfiguration } from '../../generated/types.ts';
import { at, child, type FieldError, notSupported } from '../../status/field-error.ts';
import type { KindDefinition } from '../definition.ts';
import { webhookDefaults, webhookPrinter } from './validating-webhook-configuration.ts';
import { webhookErrors } from './webhook-rules.ts';

const reinvocationPolicies = ['IfNeeded', 'Never'];

/** Webhooks that change writes. */
export const mutatingWebhookConfiguration: KindDefinition<MutatingWebhookConfiguration> = {
  group: 'admissionregistration.k8s.io',
  kind: 'MutatingWebhookConfiguration',
  printer: webhookPrinter,
  validate: mutatingErrors,
  validateUpdate: mutatingErrors,
  defaults: {
    MutatingWebhook: { ...webhookDefaults, reinvocationPolicy: 'Never' },
  },
};

function mutatingErrors(
  { webhooks = [] }: MutatingWebhookConfiguration,
  previous?: MutatingWebhookConfiguration,
): FieldError[] {
  return [
    ...webhookErrors(webhooks, previous?.webhooks),
    ...webhooks.flatMap(({ reinvocationPolicy: policy }, index) =>
      policy === undefined || reinvocationPolicies.includes(policy)
        ? []
        : [notSupported(child(at('webhooks', index), 'reinvocationPolicy'), policy, reinvocationPolicies)],
    ),
  ];
}
