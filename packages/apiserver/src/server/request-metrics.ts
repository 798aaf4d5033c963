import type { Clock } from '@wherry/clock';
import type { Counter, Gauge, Histogram, MetricsRegistry } from '@wherry/telemetry';
import { sessionsPath } from '../flow/long-running.ts';
import type { RequestInfo } from '../http/request-info.ts';

/** Says whether a resource, or a sub-resource, is one that this server knows. */
export type IsKnownResource = (info: RequestInfo) => boolean;

/** What a request was about, as labels: nothing that its sender can make up. */
function labelsOf(info: RequestInfo | undefined, isKnown: IsKnownResource) {
  const verb = info && knownVerbs.has(info.verb) ? info.verb.toUpperCase() : 'OTHER';
  if (!info?.isResource || !isKnown(info))
    return { verb, group: '', version: '', resource: '', subresource: '' };
  const { group, version, resource, subresource } = info;
  return { verb, group, version, resource, subresource };
}

const knownVerbs: ReadonlySet<string> = new Set([
  ...['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection'],
  ...['post', 'put', 'head', 'options'],
]);

/** Counts and times requests under upstream's metric names. */
export class RequestMetrics {
  readonly #total: Counter;
  readonly #duration: Histogram;
  readonly #inFlight: Gauge;
  readonly #clock: Clock;
  readonly #isKnown: IsKnownResource;

  constructor(metrics: MetricsRegistry, clock: Clock, isKnown: IsKnownResource) {
    this.#clock = clock;
    this.#isKnown = isKnown;
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
      const labels = labelsOf(info, this.#isKnown);
      this.#total.add(1, { ...labels, code: String(code) });
      if (info?.verb === 'watch' || info?.path === sessionsPath || code === 101) return;
      this.#duration.observe((this.#clock.monotonicMs() - startedMs) / 1000, labels);
    };
  }
}
