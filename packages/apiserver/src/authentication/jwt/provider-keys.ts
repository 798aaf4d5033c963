import { type Clock, sleep } from '@wherry/clock';
import type { Logger } from '@wherry/telemetry';
import { type CryptoKey, importJWK, type JWK } from 'jose';
import type { Dial } from '../../dialing/dial.ts';
import { periods } from '../../limits.ts';
import { documentOf, fetchDocument, readDocument } from './json-document.ts';
import type { JwtFigures } from './jwt-figures.ts';

/** Whose keys they are. */
export interface ProviderKeysOptions {
  issuerUrl: string;
  /** Where its discovery document is. '': below its own URL. */
  discoveryUrl: string;
  caPem: string | undefined;
  /** Default: from here. */
  dial?: Dial | undefined;
  clock: Clock;
  logger: Logger;
  /** Told of each time that keys are read. Default: nobody is. */
  figures?: JwtFigures | undefined;
}

/**
 * The keys that an identity provider signs with: found by its discovery document, which is asked for until it is there, and asked
 * for anew when a token names one that is not known.
 */
export class ProviderKeys {
  readonly #options: ProviderKeysOptions;
  readonly #abort = new AbortController();
  readonly #found = Promise.withResolvers<void>();
  #keysUrl: string | undefined;
  #keys: readonly JWK[] = [];
  #readMs = Number.NEGATIVE_INFINITY;
  #reading: Promise<void> | undefined;

  constructor(options: ProviderKeysOptions) {
    this.#options = options;
  }

  /** Whether the provider was found. */
  get isFound(): boolean {
    return this.#keysUrl !== undefined;
  }

  /** Resolves when it is. */
  get found(): Promise<void> {
    return this.#found.promise;
  }

  start(): void {
    void this.#find();
  }

  close(): void {
    this.#abort.abort(new Error('the server ends'));
  }

  /** Those that a token may be signed with by its header. Rejects where they can't be read. */
  async matching({ kid, alg }: { kid: string | undefined; alg: string }): Promise<CryptoKey[]> {
    const found = await this.#known(kid, alg);
    const agoMs = this.#options.clock.monotonicMs() - this.#readMs;
    if (found.length > 0 || (!this.#reading && agoMs < periods.identityKeysMs)) return found;
    // Who asks while they are read waits for the same answer.
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
    });
    await this.#reading;
    return this.#known(kid, alg);
  }

  async #known(kid: string | undefined, alg: string): Promise<CryptoKey[]> {
    const named = this.#keys.filter((key) => !kid || key.kid === kid);
    const keys = await Promise.all(
      named.map((key) => importJWK({ ...key, alg }, alg).catch(() => undefined)),
    );
    return keys.filter((key): key is CryptoKey => key !== undefined && !(key instanceof Uint8Array));
  }

  async #read(): Promise<void> {
    if (this.#keysUrl === undefined) throw new Error('the identity provider was not found yet');
    this.#readMs = this.#options.clock.monotonicMs();
    const { issuerUrl, figures } = this.#options;
    try {
      const answer = await fetchDocument(this.#keysUrl, this.#documentOptions);
      const { keys } = documentOf(this.#keysUrl, answer);
      if (!Array.isArray(keys)) throw new Error(`"${this.#keysUrl}" has no keys`);
      this.#keys = keys.filter((key): key is JWK => key?.use === undefined || key.use === 'sig');
      figures?.keysRead(issuerUrl, answer.text);
    } catch (error) {
      figures?.keysRead(issuerUrl, undefined);
      throw error;
    }
  }

  async #find(): Promise<void> {
    const { clock, logger, issuerUrl } = this.#options;
    const { signal } = this.#abort;
    while (!this.isFound && !signal.aborted) {
      try {
        await this.#discover();
        this.#found.resolve();
        logger.info('the identity provider was found', { issuer: issuerUrl });
      } catch (error) {
        if (signal.aborted) return;
        logger.warn('the identity provider can not be found: its tokens are refused', {
          issuer: issuerUrl,
          error,
        });
        await sleep({ clock, delayMs: periods.identityProviderRetryMs, signal }).catch(() => {});
      }
    }
  }

  /** OpenID Connect Discovery 1.0, section 4. */
  async #discover(): Promise<void> {
    const { issuerUrl, discoveryUrl } = this.#options;
    const url = discoveryUrl || `${issuerUrl.replace(/\/$/, '')}/.well-known/openid-configuration`;
    const { issuer, jwks_uri: keysUrl } = await readDocument(url, this.#documentOptions);
    if (issuer !== issuerUrl)
      throw new Error(`the issuer says that it is ${JSON.stringify(issuer)}, not "${issuerUrl}"`);
    if (typeof keysUrl !== 'string') throw new Error(`"${url}" names no jwks_uri`);
    this.#keysUrl = keysUrl;
  }

  get #documentOptions() {
    const { caPem, clock, dial } = this.#options;
    return { caPem, clock, dial, signal: this.#abort.signal };
  }
}
