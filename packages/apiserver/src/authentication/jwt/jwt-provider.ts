import { createHash } from 'node:crypto';
import type { Clock } from '@wherry/clock';
import type { Logger } from '@wherry/telemetry';
import { SparseLog } from '../../asking/sparse-log.ts';
import type { Dial } from '../../dialing/dial.ts';
import { limits, periods } from '../../limits.ts';
import type { CompiledJwt } from '../configuration/compiled-jwt.ts';
import type { UserInfo } from '../identity.ts';
import { checkClaims } from './claims.ts';
import { DistributedClaims } from './distributed-claims.ts';
import type { JwtFigures } from './jwt-figures.ts';
import { userOfClaims } from './jwt-user.ts';
import { ProviderKeys } from './provider-keys.ts';
import { verifiedClaims } from './verified-claims.ts';

/** What ID tokens are looked at with. */
export interface JwtParts {
  /** By which of these tokens may be signed. */
  signingAlgs: readonly string[];
  clock: Clock;
  logger: Logger;
  figures: JwtFigures;
  /**
   * How providers are reached whose issuer says of what type their connections are. Throws where no file says it of that
   * type. Default: from here.
   */
  dialOf?: ((type: string) => Dial | undefined) | undefined;
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
  /** Undefined where groups are no claim. */
  readonly #elsewhere: DistributedClaims | undefined;
  /** By digests of tokens. */
  readonly #known = new Map<string, Known>();
  readonly #log: SparseLog;

  /** The provider is looked for from now on, until {@link close}. */
  constructor(jwt: CompiledJwt, parts: JwtParts) {
    this.#jwt = jwt;
    this.#parts = parts;
    const {
      url: issuerUrl,
      discoveryUrl,
      certificateAuthority,
      egressSelectorType,
    } = jwt.authenticator.issuer;
    const caPem = certificateAuthority || undefined;
    const { clock, logger, figures } = parts;
    const dial = parts.dialOf?.(egressSelectorType);
    this.#keys = new ProviderKeys({ issuerUrl, discoveryUrl, caPem, dial, clock, logger, figures });
    this.#keys.start();
    const { issuer, claimMappings } = jwt.authenticator;
    const { claim } = claimMappings.groups;
    this.#elsewhere =
      claim === ''
        ? undefined
        : new DistributedClaims({
            ...{
              claim,
              issuerUrl,
              keys: this.#keys,
              audiences: issuer.audiences,
              caPem,
              dial,
              clock,
              logger,
            },
            signingAlgs: parts.signingAlgs,
          });
    this.#log = new SparseLog(logger, clock);
  }

  close(): void {
    this.#elsewhere?.close();
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
    const { clock, figures } = this.#parts;
    const startedMs = clock.monotonicMs();
    try {
      const { signingAlgs } = this.#parts;
      const claims = await verifiedClaims(token, { keys: this.#keys, signingAlgs });
      const expiresMs = checkClaims(claims, this.#jwt.authenticator.issuer.audiences, nowMs);
      const all = (await this.#elsewhere?.expanded(claims, nowMs)) ?? claims;
      const user = await userOfClaims(all, this.#jwt, this.#parts.turns());
      figures.lookedAt(this.issuerUrl, 'success', startedMs);
      this.#note(digest, { user, untilMs: Math.min(nowMs + periods.tokenRecheckMs, expiresMs) });
      return user;
    } catch (error) {
      figures.lookedAt(this.issuerUrl, 'failure', startedMs);
      this.#log.tell('a token of the identity provider is refused', { issuer: this.issuerUrl, error });
      return undefined;
    }
  }

  #note(digest: string, known: Known): void {
    if (this.#known.size >= limits.verifiedTokensMax) this.#known.clear();
    this.#known.set(digest, known);
  }
}
