import type { Clock } from '@wherry/clock';
import type { AddressFamily } from '@wherry/linux';
import type { Counter, Gauge, Histogram, MetricsRegistry } from '@wherry/telemetry';

const secondsBounds = Array.from({ length: 15 }, (_, power) => 0.001 * 2 ** power);
const labelsOf = (family: AddressFamily) => ({ ip_family: family === 'ip' ? 'IPv4' : 'IPv6' });

/** Counts what the proxy was told and what it told the kernel, under kube-proxy's names (upstream: pkg/proxy/metrics). */
export class ProxyFigures {
  readonly #clock: Clock;
  readonly #seconds: Histogram;
  readonly #updatedAt: Gauge;
  readonly #queuedAt: Gauge;
  readonly #failures: Counter;
  readonly #serviceChanges: Counter;
  readonly #endpointChanges: Counter;

  constructor(metrics: MetricsRegistry, clock: Clock) {
    this.#clock = clock;
    const name = (rest: string) => `kubeproxy_sync_proxy_rules_${rest}`;
    this.#seconds = metrics.histogram(
      name('duration_seconds'),
      'Time to bring the kernel to what services and endpoints say.',
      secondsBounds,
    );
    this.#updatedAt = metrics.gauge(
      name('last_timestamp_seconds'),
      'When the kernel was brought there last.',
    );
    this.#queuedAt = metrics.gauge(
      name('last_queued_timestamp_seconds'),
      'When there was something to do last.',
    );
    this.#failures = metrics.counter(
      name('nftables_sync_failures_total'),
      'How often the kernel refused, or its table could not be made.',
    );
    this.#serviceChanges = metrics.counter(name('service_changes_total'), 'Changes of services.');
    this.#endpointChanges = metrics.counter(name('endpoint_changes_total'), 'Changes of endpoint slices.');
  }

  serviceChanged(): void {
    this.#serviceChanges.add(1);
  }

  endpointsChanged(): void {
    this.#endpointChanges.add(1);
  }

  queued(family: AddressFamily): void {
    this.#queuedAt.set(this.#clock.nowMs() / 1_000, labelsOf(family));
  }

  updated(family: AddressFamily, seconds: number): void {
    this.#seconds.observe(seconds, labelsOf(family));
    this.#updatedAt.set(this.#clock.nowMs() / 1_000, labelsOf(family));
  }

  failed(family: AddressFamily): void {
    this.#failures.add(1, labelsOf(family));
  }
}
