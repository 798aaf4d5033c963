import type { ServiceAccountKeys } from '../authentication/service-accounts/keys.ts';
import { SettingsError } from '../settings-error.ts';

/** Lets others verify service account tokens (OpenID Connect discovery). */
export class ServiceAccountDiscovery {
  readonly #issuer: string;
  readonly #keys: ServiceAccountKeys;
  readonly #jwksUri: string;

  /** Throws an Error on a place of the keys that is no https URL. */
  constructor(issuer: string, keys: ServiceAccountKeys, jwksUri?: string) {
    if (jwksUri !== undefined) requireHttps(jwksUri);
    this.#issuer = issuer;
    this.#keys = keys;
    this.#jwksUri = jwksUri ?? `${issuer}/openid/v1/jwks`;
  }

  /** The body of `/.well-known/openid-configuration`. */
  configuration(): object {
    return {
      issuer: this.#issuer,
      jwks_uri: this.#jwksUri,
      response_types_supported: ['id_token'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: [this.#keys.algorithm],
    };
  }

  /** The body of `/openid/v1/jwks`. */
  keys(): object {
    const keys = [...this.#keys.verifying].map(([kid, key]) => {
      const isRsa = key.asymmetricKeyType === 'rsa';
      const alg = isRsa ? 'RS256' : this.#keys.algorithm;
      return { ...key.export({ format: 'jwk' }), kid, use: 'sig', alg };
    });
    return { keys };
  }
}

function requireHttps(jwksUri: string): void {
  const url = URL.parse(jwksUri);
  if (!url) throw new SettingsError(`service-account-jwks-uri must be a valid URL: ${jwksUri}`);
  if (url.protocol !== 'https:')
    throw new SettingsError(`service-account-jwks-uri requires https scheme, parsed as: ${jwksUri}`);
}
