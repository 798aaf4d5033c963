import type { Exchange, ReadAnswer } from '@wherry/client';
import type { MetricsRegistry } from '@wherry/telemetry';

const seconds = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60];
const bytes = [
  ...[64, 256, 512, 1_024, 4_096, 16_384, 65_536, 262_144],
  ...[1_048_576, 4_194_304, 16_777_216],
];

/** What hears of requests and of answers. */
export interface ClientFigures {
  onExchange(exchange: Exchange): void;
  onRead(answer: ReadAnswer): void;
}

/** Counts requests to the API server under the names that client-go's users know (component-base metrics/prometheus/restclient). */
export function clientFigures(metrics: MetricsRegistry): ClientFigures {
  const total = metrics.counter(
    'rest_client_requests_total',
    'Number of HTTP requests, partitioned by status code, method, and host.',
  );
  const retries = metrics.counter(
    'rest_client_request_retries_total',
    'Requests that were sent once more, by status code, verb, and host.',
  );
  const duration = metrics.histogram(
    'rest_client_request_duration_seconds',
    'Request latency in seconds, until the head of the answer. Broken down by verb, and host.',
    seconds,
  );
  const requestSize = metrics.histogram(
    'rest_client_request_size_bytes',
    'Bytes of the bodies of requests, by verb, and host.',
    bytes,
  );
  const responseSize = metrics.histogram(
    'rest_client_response_size_bytes',
    'Bytes of the bodies of answers, watches and logs left out, by verb, and host.',
    bytes,
  );
  return {
    onExchange({ method, serverName: host, status, tookMs, sentBytes, willRepeat }) {
      const code = String(status ?? '<error>');
      const labels = { verb: method, host };
      total.add(1, { code, method, host });
      if (willRepeat) retries.add(1, { code, ...labels });
      duration.observe(tookMs / 1_000, labels);
      requestSize.observe(sentBytes, labels);
    },
    onRead: ({ method, serverName: host, bytes: count }) =>
      responseSize.observe(count, { verb: method, host }),
  };
}
