import { createHash } from 'node:crypto';
import type { Clock } from '@wherry/clock';
import type { Counter, Gauge, MetricsRegistry } from '@wherry/telemetry';
import { serverIdHash } from './server-id.ts';

/** What is told of a configuration that is followed (upstream: authenticationconfig/metrics, authorizationconfig/metrics). */
export class ReloadMetrics {
  readonly #clock: Clock;
  readonly #reloads: Counter;
  readonly #lastSeconds: Gauge;
  readonly #info: Gauge;
  readonly #server = serverIdHash();
  #hash: string | undefined;

  /** `subsystem` begins the names, behind `apiserver_`; `subject` is what their help calls it. */
  constructor(
    metrics: MetricsRegistry,
    clock: Clock,
    { subsystem, subject }: { subsystem: string; subject: string },
  ) {
    this.#clock = clock;
    const name = (rest: string) => `apiserver_${subsystem}_${rest}`;
    this.#reloads = metrics.counter(
      name('automatic_reloads_total'),
      `How often a changed file of ${subject} was taken, or could not be`,
    );
    this.#lastSeconds = metrics.gauge(
      name('automatic_reload_last_timestamp_seconds'),
      `When a changed file of ${subject} was taken last, or could not be`,
    );
    this.#info = metrics.gauge(
      name('last_config_info'),
      `The file of ${subject} that is in force, by its hash`,
    );
  }

  /** It is in force. */
  holds(file: Uint8Array): void {
    if (this.#hash !== undefined) this.#info.forget({ apiserver_id_hash: this.#server, hash: this.#hash });
    this.#hash = `sha256:${createHash('sha256').update(file).digest('hex')}`;
    this.#info.set(1, { apiserver_id_hash: this.#server, hash: this.#hash });
  }

  /** A changed one is in force, or is no good. */
  count(status: 'success' | 'failure'): void {
    this.#reloads.add(1, { apiserver_id_hash: this.#server, status });
    this.#lastSeconds.set(this.#clock.nowMs() / 1_000, { apiserver_id_hash: this.#server, status });
  }
}
