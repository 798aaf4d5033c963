import type { ServiceAccountKeys } from '../authentication/service-accounts/keys.ts';
import { SettingsError } from '../settings-error.ts';

/** Where others find the keys. */
export interface KeysPlace {
  /** https. Default: at the external address, else below the issuer. */
  uri?: string | undefined;
  /** `HOST:PORT` of this server; undefined where it has not been told. */
  externalAddress(): string | undefined;
}

const keysPath = '/openid/v1/jwks';

/** Lets others verify service account tokens (OpenID Connect discovery). */
export class ServiceAccountDiscovery {
  readonly #issuer: string;
  readonly #keys: ServiceAccountKeys;
  readonly #place: KeysPlace;

  /** Throws an Error on a place of the keys that is no https URL. */
  constructor(issuer: string, keys: ServiceAccountKeys, place: KeysPlace) {
    if (place.uri !== undefined) requireHttps(place.uri);
    this.#issuer = issuer;
    this.#keys = keys;
    this.#place = place;
  }

  /** The body of `/.well-known/openid-configuration`. */
  configuration(): object {
    const { uri, externalAddress } = this.#place;
    const external = externalAddress();
    const below = external === undefined ? this.#issuer : `https://${external}`;
    return {
      issuer: this.#issuer,
      jwks_uri: uri ?? `${below}${keysPath}`,
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
