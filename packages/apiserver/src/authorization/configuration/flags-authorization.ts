import { SettingsError } from '../../settings-error.ts';
import { type AuthorizerType, usualTtls, type WebhookConfiguration } from './authorization-configuration.ts';
import type { CompiledAuthorizer } from './compiled-authorizers.ts';

/** A webhook that says what somebody may; names follow kube-apiserver's flags (`--authorization-webhook-*`). */
export interface AuthorizationWebhookOptions {
  /** A kubeconfig: where to, and as whom. */
  configFile: string;
  /** Of the SubjectAccessReview that it is sent, and answers. Default `v1beta1`, as upstream. */
  version?: 'v1' | 'v1beta1' | undefined;
  /** How long it is remembered that somebody may, in milliseconds; 0: not at all. Default five minutes. */
  cacheAuthorizedTtlMs?: number | undefined;
  /** The same where somebody may not. Default 30 s. */
  cacheUnauthorizedTtlMs?: number | undefined;
}

const timeoutMs = 30_000;

/** What the flags come to, by upstream's buildAuthorizationConfiguration. Throws where they do not fit each other. */
export function authorizersOfFlags(
  modes: readonly AuthorizerType[],
  webhook: AuthorizationWebhookOptions | undefined,
): CompiledAuthorizer[] {
  const isAsked = modes.includes('Webhook');
  if (isAsked && !webhook)
    throw new SettingsError('--authorization-mode=Webhook needs --authorization-webhook-config-file');
  if (webhook && !isAsked)
    throw new SettingsError('--authorization-webhook-config-file is for --authorization-mode=Webhook');
  const repeated = modes.find((mode, index) => modes.indexOf(mode) < index);
  if (repeated) throw new SettingsError(`--authorization-mode names ${repeated} more than once`);
  return modes.flatMap((type): CompiledAuthorizer[] => {
    if (type !== 'Webhook') return [{ type }];
    if (!webhook) return [];
    return [{ type, webhook: { name: 'default', configuration: configurationOf(webhook), conditions: [] } }];
  });
}

function configurationOf({
  configFile,
  version = 'v1beta1',
  cacheAuthorizedTtlMs: authorizedTtlMs = usualTtls.authorizedMs,
  cacheUnauthorizedTtlMs: unauthorizedTtlMs = usualTtls.unauthorizedMs,
}: AuthorizationWebhookOptions): WebhookConfiguration {
  return {
    ...{ authorizedTtlMs, cacheAuthorizedRequests: authorizedTtlMs > 0 },
    ...{ unauthorizedTtlMs, cacheUnauthorizedRequests: unauthorizedTtlMs > 0 },
    ...{ timeoutMs, subjectAccessReviewVersion: version, matchConditionSubjectAccessReviewVersion: '' },
    ...{ failurePolicy: 'NoOpinion', connectionType: 'KubeConfigFile', kubeConfigFile: configFile },
    matchConditions: [],
  };
}
