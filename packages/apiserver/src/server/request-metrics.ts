import type { Clock } from '@wherry/clock';
import type { Counter, Gauge, Histogram, MetricsRegistry } from '@wherry/telemetry';
import type { RequestInfo } from '../http/request-info.ts';

/** Counts and times requests under upstream's metric names. */
export class RequestMetrics {
  readonly #total: Counter;
  readonly #duration: Histogram;
  readonly #inFlight: Gauge;
  readonly #clock: Clock;

  constructor(metrics: MetricsRegistry, clock: Clock) {
    this.#clock = clock;
    this.#total = metrics.counter(
      'apiserver_request_total',
      'Requests by what they were about and how they ended.',
    );
    this.#duration = metrics.histogram(
      'apiserver_request_duration_seconds',
      'Time to the end of the answer; streams and watches are left out.',
    );
    this.#inFlight = metrics.gauge(
      'apiserver_current_inflight_requests',
      'Requests that are being served, watches and streams among them.',
    );
  }

  /** Call the result once, when the request is over. */
  begin(): (info: RequestInfo | undefined, code: number) => void {
    const startedMs = this.#clock.monotonicMs();
    this.#inFlight.add(1);
    return (info, code) => {
      this.#inFlight.add(-1);
      const { verb = 'other', group = '', version = '', resource = '', subresource = '' } = info ?? {};
      const labels = { verb: verb.toUpperCase(), group, version, resource, subresource };
      this.#total.add(1, { ...labels, code: String(code) });
      if (verb === 'watch' || code === 101) return;
      this.#duration.observe((this.#clock.monotonicMs() - startedMs) / 1000, labels);
    };
  }
}
