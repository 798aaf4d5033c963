import { createHash } from 'node:crypto';
import type { Clock } from '@wherry/clock';
import type { Gauge, Histogram, MetricsRegistry } from '@wherry/telemetry';
import { serverIdHash } from '../../documents/server-id.ts';

/** Upstream's bounds of how long a token was looked at. */
const secondsBounds = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const results = ['success', 'failure'] as const;
type Result = (typeof results)[number];

const hashOf = (text: string) => `sha256:${createHash('sha256').update(text).digest('hex')}`;

/** What is told of identity providers, which are named by hashes of their URLs (upstream: plugin/pkg/authenticator/token/oidc/metrics.go). */
export class JwtFigures {
  readonly #clock: Clock;
  readonly #seconds: Histogram;
  readonly #fetched: Gauge;
  readonly #keySet: Gauge;
  readonly #server = serverIdHash();
  /** Of the keys that each provider told last, by its URL. */
  readonly #hashes = new Map<string, string>();

  constructor(metrics: MetricsRegistry, clock: Clock) {
    this.#clock = clock;
    const name = (rest: string) => `apiserver_authentication_jwt_authenticator_${rest}`;
    this.#seconds = metrics.histogram(
      name('latency_seconds'),
      'Time that a token took that was not remembered.',
      secondsBounds,
    );
    this.#fetched = metrics.gauge(
      name('jwks_fetch_last_timestamp_seconds'),
      'When the keys of an identity provider were read last, or could not be.',
    );
    this.#keySet = metrics.gauge(
      name('jwks_fetch_last_key_set_info'),
      'The keys that an identity provider told last, by their hash.',
    );
  }

  /** A token was looked at since that time of the monotonic clock. */
  lookedAt(issuerUrl: string, result: Result, sinceMs: number): void {
    const seconds = (this.#clock.monotonicMs() - sinceMs) / 1_000;
    this.#seconds.observe(seconds, { result, jwt_issuer_hash: hashOf(issuerUrl) });
  }

  /** Keys were read, as this text, or could not be. */
  keysRead(issuerUrl: string, text: string | undefined): void {
    this.#fetched.set(this.#clock.nowMs() / 1_000, {
      result: text === undefined ? 'failure' : 'success',
      ...this.#labels(issuerUrl),
    });
    if (text === undefined) return;
    this.#forgetKeys(issuerUrl);
    const hash = hashOf(text);
    this.#hashes.set(issuerUrl, hash);
    this.#keySet.set(1, { ...this.#labels(issuerUrl), hash });
  }

  /** The provider is named no more. */
  forget(issuerUrl: string): void {
    this.#forgetKeys(issuerUrl);
    for (const result of results) this.#fetched.forget({ result, ...this.#labels(issuerUrl) });
  }

  #forgetKeys(issuerUrl: string): void {
    const hash = this.#hashes.get(issuerUrl);
    if (hash === undefined) return;
    this.#hashes.delete(issuerUrl);
    this.#keySet.forget({ ...this.#labels(issuerUrl), hash });
  }

  #labels(issuerUrl: string) {
    return { jwt_issuer_hash: hashOf(issuerUrl), apiserver_id_hash: this.#server };
  }
}
