import type { Clock } from '@wherry/clock';
import { saveProviderConfig } from '../config/save-provider-config.ts';
import { ClientError } from '../errors.ts';
import type { CredentialSource, Credentials } from '../transport/credentials.ts';
import { isFresh } from './id-token.ts';
import { type OidcConfig, refreshTokens } from './refresh.ts';

/** What is needed to use a user's `auth-provider` named `oidc`. */
export interface OidcCredentialsOptions {
  config: OidcConfig;
  /** Where new tokens are kept; undefined keeps them in memory alone. */
  file: string | undefined;
  userName: string;
  environment: NodeJS.ProcessEnv;
  clock: Clock;
}

/**
 * The ID token of a user who logged in by OpenID Connect, refreshed before it expires. New tokens are written into the
 * kubeconfig, since most providers take a refresh token only once. Throws `ClientError` `bad-config`.
 */
export function oidcCredentials(options: OidcCredentialsOptions): CredentialSource {
  for (const field of ['idp-issuer-url', 'client-id'] as const) {
    if (!options.config[field]) throw new ClientError('bad-config', `Must provide ${field}`);
  }
  return new OidcCredentials(options);
}

class OidcCredentials implements CredentialSource {
  readonly #options: OidcCredentialsOptions;
  #config: OidcConfig;
  #running: Promise<string> | undefined;

  constructor(options: OidcCredentialsOptions) {
    this.#options = options;
    this.#config = options.config;
  }

  async current(): Promise<Credentials> {
    try {
      const idToken = this.#config['id-token'];
      if (idToken && isFresh(idToken, this.#options.clock.nowMs())) return { token: idToken };
      return { token: await this.#refresh() };
    } catch (error) {
      throw new ClientError('no-credentials', (error as Error).message, { cause: error });
    }
  }

  /** A fresh token that is refused stays refused: the provider would say the same again. */
  async replace(): Promise<boolean> {
    return false;
  }

  #refresh(): Promise<string> {
    this.#running ??= this.#ask().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #ask(): Promise<string> {
    const { environment, clock, file, userName } = this.#options;
    if (!this.#config['refresh-token']) {
      throw new Error('No valid id-token, and cannot refresh without refresh-token');
    }
    const { idToken, refreshToken } = await refreshTokens(this.#config, { environment, clock });
    const changes = { 'id-token': idToken, ...(refreshToken ? { 'refresh-token': refreshToken } : {}) };
    if (file !== undefined) saveProviderConfig({ file, userName, changes });
    this.#config = { ...this.#config, ...changes };
    return idToken;
  }
}
