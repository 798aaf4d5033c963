import { randomBytes } from 'node:crypto';
import type { Clock } from '@wherry/clock';
import { MonitorError } from '@wherry/monitor-api';
import { streamingLimits } from './limits.ts';

interface Entry<Request> {
  request: Request;
  expiresAtMs: number;
}

/** What a cache is made of. */
export interface TokenCacheOptions {
  clock: Clock;
  /** Default `streamingLimits.pendingTokensMax`. */
  pendingMax?: number;
  /** Default `streamingLimits.tokenLifetimeMs`. */
  lifetimeMs?: number;
}

/** Requests that wait to be redeemed: each token works once, for a minute. */
export class TokenCache<Request> {
  readonly #options: Required<TokenCacheOptions>;
  /** In the order of insertion, which is the order of expiry. */
  readonly #entries = new Map<string, Entry<Request>>();

  constructor(options: TokenCacheOptions) {
    this.#options = {
      pendingMax: streamingLimits.pendingTokensMax,
      lifetimeMs: streamingLimits.tokenLifetimeMs,
      ...options,
    };
  }

  /** How many tokens wait, expired ones that were not swept yet included. */
  get pending(): number {
    return this.#entries.size;
  }

  /** Keeps a request and returns its token. Throws {@link MonitorError} `RESOURCE_EXHAUSTED` when too many wait. */
  insert(request: Request): string {
    this.#sweep();
    if (this.#entries.size >= this.#options.pendingMax) {
      throw new MonitorError('RESOURCE_EXHAUSTED', 'maximum number of in-flight requests exceeded');
    }
    const token = this.#unusedToken();
    this.#entries.set(token, { request, expiresAtMs: this.#nowMs() + this.#options.lifetimeMs });
    return token;
  }

  /** Takes a request out. Undefined when the token is unknown, used or expired. */
  redeem(token: string): Request | undefined {
    const entry = this.#entries.get(token);
    this.#entries.delete(token);
    return entry && entry.expiresAtMs > this.#nowMs() ? entry.request : undefined;
  }

  #nowMs(): number {
    return this.#options.clock.monotonicMs();
  }

  #sweep(): void {
    const nowMs = this.#nowMs();
    for (const [token, { expiresAtMs }] of this.#entries) {
      if (expiresAtMs > nowMs) return;
      this.#entries.delete(token);
    }
  }

  #unusedToken(): string {
    for (let attempt = 0; attempt < streamingLimits.tokenAttemptsMax; attempt++) {
      const token = randomBytes(streamingLimits.tokenBytes).toString('base64url');
      if (!this.#entries.has(token)) return token;
    }
    throw new MonitorError('RESOURCE_EXHAUSTED', 'no unused token was found; try again');
  }
}
