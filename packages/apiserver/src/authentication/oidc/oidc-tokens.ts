import type { Clock } from '@wherry/clock';
import type { Logger } from '@wherry/telemetry';
import { compactVerify, decodeJwt, decodeProtectedHeader, errors } from 'jose';
import { periods } from '../../limits.ts';
import type { UserInfo } from '../identity.ts';
import { checkClaims, userOfClaims } from './claims.ts';
import { type OidcOptions, type OidcSettings, oidcSettings } from './oidc-options.ts';
import { ProviderKeys } from './provider-keys.ts';

/** What ID tokens are looked at with. */
export interface OidcParts {
  /** Who signs the tokens of service accounts. */
  ownIssuer: string;
  clock: Clock;
  logger: Logger;
}

/** Users by ID tokens of one identity provider (upstream: plugin/pkg/authenticator/token/oidc). */
export class OidcTokens {
  readonly #settings: OidcSettings;
  readonly #keys: ProviderKeys;
  readonly #clock: Clock;
  readonly #logger: Logger;
  #saidMs = Number.NEGATIVE_INFINITY;

  /** The provider is looked for from now on, until {@link close}. Throws on options that can't be. */
  constructor(options: OidcOptions, { ownIssuer, clock, logger }: OidcParts) {
    this.#settings = oidcSettings(options, ownIssuer);
    this.#clock = clock;
    this.#logger = logger;
    this.#keys = new ProviderKeys({ ...this.#settings, clock, logger });
    this.#keys.start();
  }

  close(): void {
    this.#keys.close();
  }

  /** Whether the provider was found: before that its tokens are refused. */
  get isReady(): boolean {
    return this.#keys.isFound;
  }

  /** Who bears the token; undefined when it is no good, which is told in the log where it is the provider's. */
  async find(token: string): Promise<UserInfo | undefined> {
    if (issuerOf(token) !== this.#settings.issuerUrl) return undefined;
    try {
      const claims = await this.#verify(token);
      checkClaims(claims, this.#settings, this.#clock.nowMs());
      return userOfClaims(claims, this.#settings);
    } catch (error) {
      this.#tell(error);
      return undefined;
    }
  }

  /** Anybody may send tokens that are no good: one a second is told of. */
  #tell(error: unknown): void {
    const nowMs = this.#clock.monotonicMs();
    const isQuiet = nowMs - this.#saidMs < periods.refusedTokenMs;
    this.#logger[isQuiet ? 'debug' : 'info']('a token of the identity provider is refused', { error });
    if (!isQuiet) this.#saidMs = nowMs;
  }

  /** What the provider has signed. */
  async #verify(token: string): Promise<Readonly<Record<string, unknown>>> {
    const { alg = '', kid } = decodeProtectedHeader(token);
    const { signingAlgs } = this.#settings;
    if (!signingAlgs.includes(alg))
      throw new Error(`it is signed by ${alg}, not by ${signingAlgs.join(', ')}`);
    for (const key of await this.#keys.matching({ kid, alg })) {
      try {
        const { payload } = await compactVerify(token, key, { algorithms: [alg] });
        return JSON.parse(Buffer.from(payload).toString());
      } catch (error) {
        if (!(error instanceof errors.JWSSignatureVerificationFailed)) throw error;
      }
    }
    throw new Error('no key of the provider has signed it');
  }
}

/** What a token says, before anything of it is believed. */
function issuerOf(token: string): string | undefined {
  try {
    const { iss } = decodeJwt(token);
    return iss === 'accounts.google.com' ? 'https://accounts.google.com' : iss;
  } catch {
    return undefined;
  }
}
