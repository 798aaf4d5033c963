/** By whom it is decided what somebody may (upstream: AuthorizationConfiguration of apiserver.config.k8s.io). */

/** Ways to decide; asked in their order. */
export const authorizerTypes = ['ABAC', 'AlwaysAllow', 'AlwaysDeny', 'Node', 'RBAC', 'Webhook'] as const;
export type AuthorizerType = (typeof authorizerTypes)[number];

/** One way; what it is not, as a type that there is, its rules refuse. */
export interface AuthorizerConfiguration {
  type: string;
  name: string;
  webhook: WebhookConfiguration | undefined;
}

/** '' is what is not said; times are in milliseconds. */
export interface WebhookConfiguration {
  authorizedTtlMs: number;
  unauthorizedTtlMs: number;
  cacheAuthorizedRequests: boolean;
  cacheUnauthorizedRequests: boolean;
  timeoutMs: number;
  subjectAccessReviewVersion: string;
  matchConditionSubjectAccessReviewVersion: string;
  failurePolicy: string;
  connectionType: string;
  kubeConfigFile: string | undefined;
  /** In CEL over `request`. */
  matchConditions: readonly string[];
}

/** Upstream's, where a file says none. */
export const usualTtls = { authorizedMs: 300_000, unauthorizedMs: 30_000 } as const;
