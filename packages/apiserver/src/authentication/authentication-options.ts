import type { OidcOptions } from './jwt/oidc-options.ts';
import type { TokenWebhookOptions } from './token-webhook.ts';

/** By what the server knows who asks; names follow kube-apiserver's flags. */
export interface AuthenticationOptions {
  /** PEM; whoever shows a certificate of this CA is the user it names. Default: no certificate names a user. */
  clientCaFile?: string | undefined;
  /** PEM of an RSA or EC private key. */
  serviceAccountSigningKeyFile: string;
  /** PEM of further keys whose tokens are accepted. */
  serviceAccountKeyFiles?: readonly string[] | undefined;
  /** The first makes tokens, and those of the others are believed. Default `https://kubernetes.default.svc.cluster.local`. */
  serviceAccountIssuer?: string | readonly string[] | undefined;
  /** Where others find the keys of service accounts' tokens; https. Default: below the issuer. */
  serviceAccountJwksUri?: string | undefined;
  /** Audiences of this server itself. Default: the issuers. */
  apiAudiences?: readonly string[] | undefined;
  /** Tokens that admission puts into pods live a year, for programs that read them once, as upstream. Default true. */
  serviceAccountExtendTokenExpiration?: boolean | undefined;
  /** Whoever asks for a service account's token that lives longer gets this one, and is told. From 1 h to 2³² s. Default: none. */
  serviceAccountMaxTokenExpirationMs?: number | undefined;
  /** PEM of those who sign that certificate, of which extension servers are told, and certificates of proxies that say who asks. */
  requestheaderClientCaFile?: string | undefined;
  /** Common names that it may have. Default: any. */
  requestheaderAllowedNames?: readonly string[] | undefined;
  /**
   * Headers by which they say who asks, as extension servers are told. Default: those that this server sends, `X-Remote-*`. Proxies are believed
   * only where the username's are given, as upstream.
   */
  requestheaderUsernameHeaders?: readonly string[] | undefined;
  requestheaderGroupHeaders?: readonly string[] | undefined;
  requestheaderUidHeaders?: readonly string[] | undefined;
  requestheaderExtraHeadersPrefix?: readonly string[] | undefined;
  /** CSV of `token,user,uid,"groups"`. */
  tokenAuthFile?: string | undefined;
  /** Bearers of bootstrap tokens (secrets of `kube-system`) are `system:bootstrap:ID`. Default false, as upstream. */
  enableBootstrapTokenAuth?: boolean | undefined;
  /** An identity provider, by whose ID tokens users are known too. Not with {@link authenticationConfig}. */
  oidc?: OidcOptions | undefined;
  /**
   * YAML of an AuthenticationConfiguration (apiserver.config.k8s.io/v1): identity providers, and whether who shows nothing may
   * ask. It is looked at every 5 s, and followed where it is valid. Default: none.
   */
  authenticationConfig?: string | undefined;
  /** A webhook that knows tokens that nobody else knows. */
  authenticationTokenWebhook?: TokenWebhookOptions | undefined;
  /** Whether who shows nothing may ask, as `system:anonymous`. Default true, but for AlwaysAllow, as upstream. */
  anonymousAuth?: boolean | undefined;
}
