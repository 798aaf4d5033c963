import type { ServiceAccountKeys } from '../authentication/service-account-keys.ts';

/** Lets others verify service account tokens (OpenID Connect discovery). */
export class ServiceAccountDiscovery {
  readonly #issuer: string;
  readonly #keys: ServiceAccountKeys;

  constructor(issuer: string, keys: ServiceAccountKeys) {
    this.#issuer = issuer;
    this.#keys = keys;
  }

  /** The body of `/.well-known/openid-configuration`. */
  configuration(): object {
    return {
      issuer: this.#issuer,
      jwks_uri: `${this.#issuer}/openid/v1/jwks`,
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
