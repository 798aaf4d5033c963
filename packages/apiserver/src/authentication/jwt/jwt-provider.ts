import { createHash } from 'node:crypto';
import type { Clock } from '@wherry/clock';
import { isJsonObject, type JsonObject, type JsonValue } from '@wherry/kubeapi';
import type { Logger } from '@wherry/telemetry';
import { compactVerify, decodeProtectedHeader, errors } from 'jose';
import { SparseLog } from '../../asking/sparse-log.ts';
import { limits, periods } from '../../limits.ts';
import type { CompiledJwt } from '../configuration/compiled-jwt.ts';
import type { UserInfo } from '../identity.ts';
import { checkClaims } from './claims.ts';
import { userOfClaims } from './jwt-user.ts';
import { ProviderKeys } from './provider-keys.ts';

/** What ID tokens are looked at with. */
export interface JwtParts {
  /** By which of these tokens may be signed. */
  signingAlgs: readonly string[];
  clock: Clock;
  logger: Logger;
  /** Gives what is awaited between expressions. */
  turns(): () => Promise<void>;
}

interface Known {
  user: UserInfo;
  untilMs: number;
}

/** Users by ID tokens of one identity provider (upstream: plugin/pkg/authenticator/token/oidc). */
export class JwtProvider {
  readonly #jwt: CompiledJwt;
  readonly #parts: JwtParts;
  readonly #keys: ProviderKeys;
  /** By digests of tokens. */
  readonly #known = new Map<string, Known>();
  readonly #log: SparseLog;

  /** The provider is looked for from now on, until {@link close}. */
  constructor(jwt: CompiledJwt, parts: JwtParts) {
    this.#jwt = jwt;
    this.#parts = parts;
    const { url: issuerUrl, discoveryUrl, certificateAuthority } = jwt.authenticator.issuer;
    const caPem = certificateAuthority || undefined;
    const { clock, logger } = parts;
    this.#keys = new ProviderKeys({ issuerUrl, discoveryUrl, caPem, clock, logger });
    this.#keys.start();
    this.#log = new SparseLog(logger, clock);
  }

  close(): void {
    this.#keys.close();
  }

  get issuerUrl(): string {
    return this.#jwt.authenticator.issuer.url;
  }

  /** Resolves once the provider was found: before that its tokens are refused. Never where it is closed before. */
  get found(): Promise<void> {
    return this.#keys.found;
  }

  get isReady(): boolean {
    return this.#keys.isFound;
  }

  /** Who bears a token of its; undefined when it is no good, which is told in the log. */
  async find(token: string): Promise<UserInfo | undefined> {
    const digest = createHash('sha256').update(token).digest('base64');
    const nowMs = this.#parts.clock.nowMs();
    const known = this.#known.get(digest);
    if (known && nowMs < known.untilMs) return known.user;
    try {
      const claims = await this.#verify(token);
      const expiresMs = checkClaims(claims, this.#jwt.authenticator.issuer.audiences, nowMs);
      const user = await userOfClaims(claims, this.#jwt, this.#parts.turns());
      this.#note(digest, { user, untilMs: Math.min(nowMs + periods.tokenRecheckMs, expiresMs) });
      return user;
    } catch (error) {
      this.#log.tell('a token of the identity provider is refused', { issuer: this.issuerUrl, error });
      return undefined;
    }
  }

  #note(digest: string, known: Known): void {
    if (this.#known.size >= limits.verifiedTokensMax) this.#known.clear();
    this.#known.set(digest, known);
  }

  /** What the provider has signed. */
  async #verify(token: string): Promise<JsonObject> {
    const { alg = '', kid } = decodeProtectedHeader(token);
    const { signingAlgs } = this.#parts;
    if (!signingAlgs.includes(alg)) throw new Error(`it is not signed by ${signingAlgs.join(', ')}`);
    for (const key of await this.#keys.matching({ kid, alg })) {
      try {
        const { payload } = await compactVerify(token, key, { algorithms: [alg] });
        return parseClaims(payload);
      } catch (error) {
        if (!(error instanceof errors.JWSSignatureVerificationFailed)) throw error;
      }
    }
    throw new Error('no key of the provider has signed it');
  }
}

/** What a parser says of a text that is no JSON shows the text. */
function parseClaims(payload: Uint8Array): JsonObject {
  let value: JsonValue;
  try {
    value = JSON.parse(Buffer.from(payload).toString());
  } catch {
    throw new Error('its claims are no JSON');
  }
  if (!isJsonObject(value)) throw new Error('its claims are no object');
  return value;
}
