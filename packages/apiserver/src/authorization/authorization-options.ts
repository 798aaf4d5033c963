import type { AuthorizerType } from './configuration/authorization-configuration.ts';
import type { AuthorizationWebhookOptions } from './configuration/flags-authorization.ts';

/** Ways to decide who may do what; asked in their order. */
export type AuthorizationMode = AuthorizerType;

/** Who is asked who may do what; names follow kube-apiserver's flags. */
export interface AuthorizationOptions {
  /** Default Node, RBAC. */
  authorizationMode?: readonly AuthorizationMode[] | undefined;
  /** JSON of a Policy (abac.authorization.kubernetes.io/v1beta1) a line: what is allowed in the mode ABAC. Read once, at the start. */
  authorizationPolicyFile?: string | undefined;
  /** Who is asked in the mode Webhook. */
  authorizationWebhook?: AuthorizationWebhookOptions | undefined;
  /**
   * YAML of an AuthorizationConfiguration (apiserver.config.k8s.io/v1): who decides, several webhooks among them. It is looked
   * at every 5 s, and followed where it is valid. Not with the two above.
   */
  authorizationConfig?: string | undefined;
}
