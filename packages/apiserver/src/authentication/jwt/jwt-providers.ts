import { sleep } from '@wherry/clock';
import type { CompiledJwt } from '../configuration/compiled-jwt.ts';
import type { UserInfo } from '../identity.ts';
import { type JwtParts, JwtProvider } from './jwt-provider.ts';
import { issuerOf } from './token-issuer.ts';

/** Users by ID tokens of several identity providers, each of which is known by its URL. */
export class JwtProviders {
  readonly #providers: ReadonlyMap<string, JwtProvider>;
  readonly #parts: JwtParts;

  /** The providers are looked for from now on, until {@link close}. */
  constructor(compiled: readonly CompiledJwt[], parts: JwtParts) {
    this.#parts = parts;
    this.#providers = new Map(
      compiled.map((jwt) => [jwt.authenticator.issuer.url, new JwtProvider(jwt, parts)]),
    );
  }

  close(): void {
    for (const provider of this.#providers.values()) provider.close();
  }

  /** By their URLs. */
  get issuers(): readonly string[] {
    return [...this.#providers.keys()];
  }

  /** Whether all were found. */
  get areReady(): boolean {
    return [...this.#providers.values()].every((provider) => provider.isReady);
  }

  /** Whether all were found by then; false too once `signal` aborts. */
  async areReadyWithin(timeoutMs: number, signal: AbortSignal): Promise<boolean> {
    const end = new AbortController();
    const { clock } = this.#parts;
    const late = sleep({ clock, delayMs: timeoutMs, signal: AbortSignal.any([signal, end.signal]) });
    const found = Promise.all([...this.#providers.values()].map((provider) => provider.found));
    await Promise.race([found, late.catch(() => {})]);
    end.abort();
    return this.areReady && !signal.aborted;
  }

  /** Who bears the token; undefined when it is of none of them, or no good. */
  async find(token: string): Promise<UserInfo | undefined> {
    return this.#providers.get(issuerOf(token) ?? '')?.find(token);
  }
}
