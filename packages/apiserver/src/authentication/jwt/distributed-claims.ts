import { type Clock, sleep } from '@wherry/clock';
import { isJsonObject, type JsonObject, type JsonValue, ownValue, setOwn } from '@wherry/kubeapi';
import type { Logger } from '@wherry/telemetry';
import type { Dial } from '../../dialing/dial.ts';
import { limits, periods } from '../../limits.ts';
import { checkClaims } from './claims.ts';
import { fetchDocument } from './json-document.ts';
import { ProviderKeys } from './provider-keys.ts';
import { issuerOf } from './token-issuer.ts';
import { verifiedClaims } from './verified-claims.ts';

/** Which claim may be told elsewhere, and what is believed there. */
export interface DistributedClaimsOptions {
  claim: string;
  /** The provider whose tokens say where to ask, and its keys. */
  issuerUrl: string;
  keys: ProviderKeys;
  audiences: readonly string[];
  signingAlgs: readonly string[];
  caPem: string | undefined;
  /** Default: from here. */
  dial?: Dial | undefined;
  clock: Clock;
  logger: Logger;
}

/**
 * A claim that a token leaves to others to tell (OpenID Connect Core 1.0, section 5.6.2): by another token, which is asked for at
 * an address in the first, and signed by whom it names. As upstream (plugin/pkg/authenticator/token/oidc), but over https alone, redirected
 * nowhere, and of a few issuers.
 */
export class DistributedClaims {
  readonly #options: DistributedClaimsOptions;
  readonly #abort = new AbortController();
  /** Those who have signed such tokens besides the provider itself; the one that was asked for longest ago stands first. */
  readonly #others = new Map<string, ProviderKeys>();

  constructor(options: DistributedClaimsOptions) {
    this.#options = options;
  }

  close(): void {
    this.#abort.abort(new Error('the server ends'));
    for (const keys of this.#others.values()) keys.close();
  }

  /** The claims with the one that is told elsewhere. Rejects where it can't be had, and shows nothing of what tokens say. */
  async expanded(claims: JsonObject, nowMs: number): Promise<JsonObject> {
    const { claim, audiences, signingAlgs } = this.#options;
    if (Object.hasOwn(claims, claim) || !Object.hasOwn(claims, '_claim_names')) return claims;
    const source = sourceOf(claims, claim);
    if (!source) return claims;
    const token = await this.#ask(source);
    const told = await verifiedClaims(token, { keys: await this.#keysOf(issuerOf(token)), signingAlgs });
    checkClaims(told, audiences, nowMs);
    const value = ownValue(told, claim);
    if (value === undefined) throw new Error(`who is asked for its claim ${claim} does not tell it`);
    const all = { ...claims };
    setOwn(all, claim, value);
    return all;
  }

  async #ask({ url, accessToken }: ClaimSource): Promise<string> {
    const { claim, caPem, clock, dial } = this.#options;
    const { signal } = this.#abort;
    if (URL.parse(url)?.protocol !== 'https:')
      throw new Error(`its claim ${claim} is told at an address without https`);
    const { status, text } = await fetchDocument(url, { caPem, clock, signal, dial, accessToken });
    if (status < 200 || status > 226)
      throw new Error(`who is asked for its claim ${claim} answers ${status}`);
    return text.trim();
  }

  async #keysOf(issuer: string | undefined): Promise<ProviderKeys> {
    const { issuerUrl, keys, caPem, clock, logger, dial } = this.#options;
    if (issuer === undefined) throw new Error('what it is told elsewhere is no token');
    if (issuer === issuerUrl) return keys;
    let others = this.#others.get(issuer);
    if (others) this.#others.delete(issuer);
    else {
      others = new ProviderKeys({ issuerUrl: issuer, discoveryUrl: '', caPem, dial, clock, logger });
      others.start();
    }
    this.#others.set(issuer, others);
    this.#forgetOldest();
    if (!others.isFound) await this.#awaitFound(others);
    return others;
  }

  #forgetOldest(): void {
    if (this.#others.size <= limits.claimIssuersMax) return;
    const [[issuer, keys] = []] = this.#others;
    if (issuer === undefined) return;
    keys?.close();
    this.#others.delete(issuer);
  }

  async #awaitFound(keys: ProviderKeys): Promise<void> {
    const { clock } = this.#options;
    const end = new AbortController();
    const signal = AbortSignal.any([this.#abort.signal, end.signal]);
    const late = sleep({ clock, delayMs: periods.claimIssuerMs, signal }).catch(() => {});
    await Promise.race([keys.found, late]);
    end.abort();
    if (!keys.isFound) throw new Error('who has signed what it is told elsewhere can not be found');
  }
}

interface ClaimSource {
  url: string;
  accessToken: string;
}

/** Undefined where nobody is to be asked. Throws on what is no such thing, as upstream, also where it is about other claims. */
function sourceOf(claims: JsonObject, claim: string): ClaimSource | undefined {
  const names = textsOf('_claim_names', ownValue(claims, '_claim_names'));
  const given = ownValue(claims, '_claim_sources');
  const place = '_claim_sources';
  if (given === undefined) throw new Error(`it has no ${place}`);
  const sources = new Map(
    Object.entries(objectOf(place, given)).map(([name, value]) => {
      const { endpoint, access_token: accessToken, JWT } = objectOf(place, value);
      return [name, textsOf(place, { endpoint, accessToken, JWT })] as const;
    }),
  );
  const name = names.get(claim);
  if (name === undefined) return undefined;
  const source = sources.get(name);
  if (!source) throw new Error(`its claim ${claim} has a source that is not among its _claim_sources`);
  const url = source.get('endpoint') ?? '';
  return url === '' ? undefined : { url, accessToken: source.get('accessToken') ?? '' };
}

/** Null is nothing, as Go reads it. */
function objectOf(place: string, value: JsonValue | undefined): JsonObject {
  if (value === null || value === undefined) return {};
  if (isJsonObject(value)) return value;
  throw new Error(`its ${place} is no object`);
}

function textsOf(
  place: string,
  value: Record<string, JsonValue | undefined> | JsonValue | undefined,
): Map<string, string> {
  return new Map(
    Object.entries(objectOf(place, value as JsonValue | undefined)).map(([name, text]) => {
      if (text === null || text === undefined) return [name, ''];
      if (typeof text === 'string') return [name, text];
      throw new Error(`its ${place} has something that is no text`);
    }),
  );
}
