import type { Secret } from '@wherry/kubeapi';
import type { AuthenticationOptions } from './authentication-options.ts';
import { Authenticator } from './authenticator.ts';
import { BootstrapTokens } from './bootstrap-tokens.ts';
import type { ClientAuthorities } from './client-authorities.ts';
import type { AnonymousSettings } from './configuration/authentication-configuration.ts';
import { FrontProxyUsers, frontProxyAuthority, frontProxyHeaders, identityRemover } from './front-proxy.ts';
import type { JwtAuthentication } from './jwt/jwt-authentication.ts';
import { type ServiceAccountIssuers, serviceAccountIssuers } from './service-accounts/issuers.ts';
import { readServiceAccountKeys, type ServiceAccountKeys } from './service-accounts/keys.ts';
import { ServiceAccountTokens, type ServiceAccountTokensOptions } from './service-accounts/tokens.ts';
import { TokenFile } from './token-file.ts';
import type { TokenWebhook } from './token-webhook.ts';

/** Who says who somebody is, beside the server's own files and objects. */
export interface AuthenticationSources {
  /** Who signs certificates of clients and of front proxies. */
  authorities: ClientAuthorities;
  /** Users of identity providers, where there are any. */
  jwt?: JwtAuthentication | undefined;
  /** Users by a webhook's word, where there is one. */
  tokenWebhook?: TokenWebhook | undefined;
  /** Whether who shows nothing may ask. */
  anonymous: AnonymousSettings;
}

interface AuthenticatorParts extends Pick<ServiceAccountTokensOptions, 'stateOf' | 'clock' | 'metrics'> {
  /** A secret that may hold a bootstrap token; undefined where there is none. */
  findBootstrapToken(name: string): Promise<Secret | undefined>;
}

/** Who asks, and by which tokens service accounts are known. */
export interface Authentication {
  authenticator: Authenticator;
  tokens: ServiceAccountTokens;
  issuers: ServiceAccountIssuers;
  keys: ServiceAccountKeys;
}

/** As the server's options say. Throws SettingsError. */
export function createAuthenticator(
  options: AuthenticationOptions & AuthenticationSources,
  { stateOf, findBootstrapToken, clock, metrics }: AuthenticatorParts,
): Authentication {
  const keys = readServiceAccountKeys(
    options.serviceAccountSigningKeyFile,
    options.serviceAccountKeyFiles ?? [],
  );
  const issuers = serviceAccountIssuers(options.serviceAccountIssuer);
  const tokens = new ServiceAccountTokens({
    keys,
    issuers,
    audiences: options.apiAudiences ?? issuers.all,
    extendsLifetimes: options.serviceAccountExtendTokenExpiration,
    lifetimeMsMax: options.serviceAccountMaxTokenExpirationMs,
    clock,
    metrics,
    stateOf,
  });
  const authenticator = new Authenticator({
    clock,
    metrics,
    authorities: options.authorities,
    frontProxy: frontProxyUsers(options),
    removeIdentity: identityRemover(frontProxyHeaders(options)),
    serviceAccountTokens: tokens,
    tokenFile: options.tokenAuthFile ? new TokenFile(options.tokenAuthFile) : undefined,
    bootstrapTokens: options.enableBootstrapTokenAuth
      ? new BootstrapTokens({ clock, find: findBootstrapToken })
      : undefined,
    jwt: options.jwt,
    webhook: options.tokenWebhook,
    anonymous: options.anonymous,
  });
  return { authenticator, tokens, issuers, keys };
}

function frontProxyUsers(
  options: AuthenticationOptions & AuthenticationSources,
): FrontProxyUsers | undefined {
  if (frontProxyAuthority(options) === undefined) return undefined;
  return new FrontProxyUsers({
    authorities: options.authorities,
    allowedNames: options.requestheaderAllowedNames ?? [],
    headers: frontProxyHeaders(options),
  });
}
