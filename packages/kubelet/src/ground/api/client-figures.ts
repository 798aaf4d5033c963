import type { Exchange } from '@wherry/client';
import type { MetricsRegistry } from '@wherry/telemetry';

const bounds = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60];

/** Counts requests to the API server under the names that client-go's users know (component-base metrics/prometheus/restclient). */
export function clientFigures(metrics: MetricsRegistry): (exchange: Exchange) => void {
  const total = metrics.counter(
    'rest_client_requests_total',
    'Number of HTTP requests, partitioned by status code, method, and host.',
  );
  const duration = metrics.histogram(
    'rest_client_request_duration_seconds',
    'Request latency in seconds, until the head of the answer. Broken down by verb, and host.',
    bounds,
  );
  return ({ method, serverName: host, status, tookMs }) => {
    total.add(1, { code: String(status ?? '<error>'), method, host });
    duration.observe(tookMs / 1_000, { verb: method, host });
  };
}
