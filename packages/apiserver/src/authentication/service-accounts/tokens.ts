import { createHash, randomUUID } from 'node:crypto';
import type { Clock } from '@wherry/clock';
import type { MetricsRegistry } from '@wherry/telemetry';
import { decodeProtectedHeader, errors, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import { limits, periods } from '../../limits.ts';
import { serviceAccountUser, serviceAccountUserName, type UserInfo } from '../identity.ts';
import type { ServiceAccountClaims } from './claims.ts';
import type { ServiceAccountIssuers } from './issuers.ts';
import { algorithmsOf, type ServiceAccountKeys } from './keys.ts';
import { legacyIssuer, readLegacyClaims } from './legacy-tokens.ts';

/** Whether what a token names still exists; of one in a secret also whether its account lists that, or somebody has marked it. */
export type ClaimsState = 'gone' | 'alive' | 'listed' | 'invalidated';

/** Looks that up. */
export type ClaimsCheck = (claims: ServiceAccountClaims) => Promise<ClaimsState>;

/** In upstream's words (pkg/serviceaccount/legacy.go). */
const listedTokenWarning =
  'Use tokens from the TokenRequest API or manually created secret-based tokens instead of auto-generated secret-based tokens.';

const hourMs = 3_600_000;

/** What token handling needs. */
export interface ServiceAccountTokensOptions {
  keys: ServiceAccountKeys;
  issuers: ServiceAccountIssuers;
  /** Audiences of the API server itself. */
  audiences: readonly string[];
  clock: Clock;
  metrics: MetricsRegistry;
  stateOf: ClaimsCheck;
  /** Whether tokens that admission puts into pods may outlive what they were asked for, as upstream. Default true. */
  extendsLifetimes?: boolean | undefined;
  /** Whoever asks for a token that lives longer gets this one. From 1 h to 2³² s; default: none. */
  lifetimeMsMax?: number | undefined;
}

/** How long a token is good, and for whom. */
export interface TokenTerms {
  audiences: readonly string[];
  lifetimeSeconds: number;
  /** When a token that lives longer than it was asked to should have been renewed: the claim `warnafter`. */
  warnAfterSeconds?: number | undefined;
}

/** A verified token. */
export interface VerifiedToken {
  user: UserInfo;
  audiences: string[];
  /** What its bearer may not have meant. */
  warning?: string | undefined;
}

interface CacheEntry extends VerifiedToken {
  claims: ServiceAccountClaims;
  state: ClaimsState;
  /** Monotonic: a clock that is set back puts no look off. */
  checkedAtMs: number;
  notBeforeMs: number;
  expiresAtMs: number;
  /** When it should have been renewed; undefined of one that lives no longer than it was asked to. */
  staleAtMs: number | undefined;
}

/** Makes and checks the JWTs of service accounts (upstream: pkg/serviceaccount). */
export class ServiceAccountTokens {
  readonly audiences: readonly string[];
  readonly extendsLifetimes: boolean;
  readonly lifetimeSecondsMax: number;
  readonly #options: ServiceAccountTokensOptions;
  readonly #verified = new Map<string, CacheEntry>();
  readonly #uses: ReturnType<typeof usesIn>;

  /** Throws a RangeError on a longest lifetime that upstream would not take. */
  constructor(options: ServiceAccountTokensOptions) {
    const { lifetimeMsMax } = options;
    if (lifetimeMsMax !== undefined && !(lifetimeMsMax >= hourMs && lifetimeMsMax <= 2 ** 32 * 1000))
      throw new RangeError(
        `--service-account-max-token-expiration: ${lifetimeMsMax} ms is not between 1 hour and 2^32 seconds`,
      );
    this.#options = options;
    this.lifetimeSecondsMax = lifetimeMsMax === undefined ? Infinity : Math.floor(lifetimeMsMax / 1000);
    this.#uses = usesIn(options.metrics);
    this.audiences = options.audiences;
    this.extendsLifetimes = options.extendsLifetimes ?? true;
  }

  /** A signed token for `audiences` that ends after `lifetimeSeconds`. */
  async issue(
    claims: ServiceAccountClaims,
    { audiences, lifetimeSeconds, warnAfterSeconds }: TokenTerms,
  ): Promise<{ token: string; expiresAtMs: number }> {
    const { keys, issuers, clock } = this.#options;
    const nowSeconds = Math.floor(clock.nowMs() / 1000);
    const expiresAt = nowSeconds + lifetimeSeconds;
    const warnafter = warnAfterSeconds === undefined ? {} : { warnafter: nowSeconds + warnAfterSeconds };
    const token = await new SignJWT({ 'kubernetes.io': { ...privateClaims(claims), ...warnafter } })
      .setProtectedHeader({ alg: keys.algorithm, kid: keys.keyId })
      .setIssuer(issuers.first)
      .setSubject(serviceAccountUserName(claims.namespace, claims.name))
      .setAudience([...audiences])
      .setIssuedAt(nowSeconds)
      .setNotBefore(nowSeconds)
      .setExpirationTime(expiresAt)
      .setJti(randomUUID())
      .sign(keys.signing);
    return { token, expiresAtMs: expiresAt * 1000 };
  }

  /** Who a token stands for, or null: not ours, expired, for others' audiences, or what it is bound to is gone. */
  async verify(token: string, audiences: readonly string[] = this.audiences): Promise<VerifiedToken | null> {
    const cacheKey = createHash('sha256').update(token).digest('base64');
    const nowMs = this.#options.clock.nowMs();
    let entry = this.#verified.get(cacheKey);
    if (!entry) {
      const fresh = await this.#readToken(token);
      if (!fresh) return null;
      entry = fresh;
      if (this.#verified.size >= limits.verifiedTokensMax) this.#verified.clear();
      this.#verified.set(cacheKey, entry);
    }
    if (entry.expiresAtMs <= nowMs || nowMs < entry.notBeforeMs) return null;
    const elapsedMs = this.#options.clock.monotonicMs();
    if (elapsedMs - entry.checkedAtMs >= periods.tokenRecheckMs) {
      entry.state = await this.#options.stateOf(entry.claims);
      if (entry.state === 'invalidated') this.#uses.invalidated.add(1);
      if (entry.state === 'gone' || entry.state === 'invalidated') {
        this.#verified.delete(cacheKey);
        return null;
      }
      entry.checkedAtMs = elapsedMs;
    }
    const common = entry.audiences.filter((audience) => audiences.includes(audience));
    if (common.length === 0) return null;
    this.#countUse(entry, nowMs);
    const isListed = entry.state === 'listed';
    return { user: entry.user, audiences: common, ...(isListed && { warning: listedTokenWarning }) };
  }

  #countUse({ claims, state, staleAtMs }: CacheEntry, nowMs: number): void {
    if (claims.secret) {
      this.#uses.legacy.add(1);
      (state === 'listed' ? this.#uses.listed : this.#uses.manual).add(1);
    } else if (staleAtMs !== undefined) (nowMs > staleAtMs ? this.#uses.stale : this.#uses.valid).add(1);
  }

  async #readToken(token: string): Promise<CacheEntry | null> {
    const { keys, issuers, clock } = this.#options;
    try {
      const { kid = '' } = decodeProtectedHeader(token);
      const key = keys.verifying.get(kid);
      if (!key) return null;
      const nowMs = clock.nowMs();
      const { payload } = await jwtVerify(token, key, {
        ...{ issuer: [...issuers.all, legacyIssuer], algorithms: algorithmsOf(key) },
        ...{ currentDate: new Date(nowMs), clockTolerance: periods.clockSkewMs / 1000 },
      });
      const notBeforeMs = Math.max(payload.iat ?? 0, payload.nbf ?? 0) * 1000 - periods.clockSkewMs;
      if (nowMs < notBeforeMs) return null;
      const isLegacy = payload.iss === legacyIssuer;
      const claims = isLegacy ? readLegacyClaims(payload, token) : readClaims(payload);
      if (!claims) return null;
      const audiences = isLegacy ? [...this.audiences] : [payload.aud ?? []].flat();
      const expiresAtMs = isLegacy
        ? Number.POSITIVE_INFINITY
        : (payload.exp ?? 0) * 1000 + periods.clockSkewMs;
      // -Infinity: the first use checks that everything named is alive.
      const checkedAtMs = -Infinity;
      const staleAtMs = staleAtMsOf(payload);
      const state = 'alive';
      const user = userOf(claims, payload);
      return { user, audiences, claims, state, notBeforeMs, expiresAtMs, checkedAtMs, staleAtMs };
    } catch (error) {
      if (error instanceof errors.JOSEError || error instanceof TypeError) return null;
      throw error;
    }
  }
}

function usesIn(metrics: MetricsRegistry) {
  const counter = (end: string, help: string) => metrics.plainCounter(`serviceaccount_${end}`, help);
  return {
    legacy: counter('legacy_tokens_total', 'Uses of tokens that live in secrets.'),
    listed: counter(
      'legacy_auto_token_uses_total',
      'Uses of tokens in secrets that their account lists, as controllers of old made them.',
    ),
    manual: counter('legacy_manual_token_uses_total', 'Uses of tokens in secrets that somebody made.'),
    invalidated: counter(
      'invalid_legacy_auto_token_uses_total',
      'Uses of tokens in secrets that are marked as invalid.',
    ),
    stale: counter('stale_tokens_total', 'Uses of tokens in pods that should have been renewed.'),
    valid: counter('valid_tokens_total', 'Uses of tokens in pods that are fresh.'),
  };
}

function staleAtMsOf(payload: JWTPayload): number | undefined {
  const { warnafter } = (payload['kubernetes.io'] ?? {}) as PrivateClaims;
  return typeof warnafter === 'number' && warnafter !== 0 ? warnafter * 1000 : undefined;
}

function privateClaims(claims: ServiceAccountClaims): Record<string, unknown> {
  const { namespace, name, uid, bound, node } = claims;
  const reference = bound && { [bound.kind.toLowerCase()]: { name: bound.name, uid: bound.uid } };
  return { namespace, serviceaccount: { name, uid }, ...reference, ...(node ? { node } : {}) };
}

interface PrivateClaims {
  warnafter?: number;
  namespace?: string;
  serviceaccount?: { name?: string; uid?: string };
  pod?: { name: string; uid: string };
  secret?: { name: string; uid: string };
  node?: { name: string; uid?: string };
}

function readClaims(payload: JWTPayload): ServiceAccountClaims | undefined {
  const { namespace, serviceaccount, pod, secret, node } = (payload['kubernetes.io'] ?? {}) as PrivateClaims;
  const { name, uid } = serviceaccount ?? {};
  if (!namespace || !name || !uid) return undefined;
  if (payload.sub !== serviceAccountUserName(namespace, name)) return undefined;
  const bound = pod
    ? { kind: 'Pod' as const, ...pod }
    : secret
      ? { kind: 'Secret' as const, ...secret }
      : node && { kind: 'Node' as const, name: node.name, uid: node.uid ?? '' };
  return { namespace, name, uid, bound, node: pod ? node : undefined };
}

function userOf(claims: ServiceAccountClaims, payload: JWTPayload): UserInfo {
  const { namespace, name, uid, bound, node } = claims;
  const prefix = 'authentication.kubernetes.io';
  const extra: Record<string, string[]> = {};
  if (payload.jti) extra[`${prefix}/credential-id`] = [`JTI=${payload.jti}`];
  if (bound?.kind === 'Pod') {
    extra[`${prefix}/pod-name`] = [bound.name];
    extra[`${prefix}/pod-uid`] = [bound.uid];
  }
  if (node) {
    extra[`${prefix}/node-name`] = [node.name];
    if (node.uid) extra[`${prefix}/node-uid`] = [node.uid];
  }
  return { ...serviceAccountUser(namespace, name), uid, extra };
}
