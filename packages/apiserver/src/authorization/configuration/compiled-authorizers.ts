import type { ReviewCondition } from '@wherry/kubeapi/access-expressions';
import type { AuthorizerType, WebhookConfiguration } from './authorization-configuration.ts';

/** A webhook, with its conditions read. */
export interface CompiledWebhook {
  name: string;
  configuration: WebhookConfiguration;
  conditions: readonly ReviewCondition[];
}

/** One way to decide. */
export type CompiledAuthorizer =
  | { type: Exclude<AuthorizerType, 'Webhook'> }
  | { type: 'Webhook'; webhook: CompiledWebhook };
