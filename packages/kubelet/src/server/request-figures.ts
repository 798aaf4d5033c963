import type { ServerResponse } from 'node:http';
import type { Clock } from '@wherry/clock';
import type { MetricsRegistry } from '@wherry/telemetry';

/** Of upstream's paths the first part, of metrics the first two; whatever else is asked for counts as one. */
const paths = new Set([
  ...['healthz', 'pods', 'stats', 'metrics', 'metrics/cadvisor', 'metrics/probes', 'metrics/resource'],
  ...['metrics/slis', 'run', 'exec', 'attach', 'portForward', 'containerLogs', 'configz', 'runningpods'],
  ...['checkpoint', 'pprof', 'logs', 'debug', 'statusz', 'flagz'],
]);
const longRunning = new Set(['exec', 'attach', 'portForward', 'debug']);
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'CONNECT', 'OPTIONS', 'TRACE']);

/** Upstream's name of what is asked for; `other` for what it has no name for. */
function nameOf(pathname: string): string {
  const [root = '', second] = pathname.split('/').slice(1);
  const named = root === 'metrics' && second ? `${root}/${second}` : root;
  return paths.has(named) ? named : 'other';
}

/** What a request's span is called: nothing in it is of the sender's choice. */
export const spanName = (method: string, pathname: string): string =>
  `${methods.has(method) ? method : 'other'} /${nameOf(pathname)}`;

/** Counts and times what is asked of the kubelet, under upstream's names and labels. */
export class RequestFigures {
  readonly #clock: Clock;
  readonly #figures: ReturnType<typeof createFigures>;

  constructor(metrics: MetricsRegistry, clock: Clock) {
    this.#clock = clock;
    this.#figures = createFigures(metrics);
  }

  /** A request came; the function that is returned says that it is over. */
  begin(method: string, pathname: string, isReadOnly: boolean): () => void {
    const { total, inFlight, duration } = this.#figures;
    const path = nameOf(pathname);
    const labels = {
      method: methods.has(method) ? method : 'other',
      path,
      server_type: isReadOnly ? 'readonly' : 'readwrite',
      long_running: String(longRunning.has(path)),
    };
    const startedMs = this.#clock.monotonicMs();
    total.add(1, labels);
    inFlight.add(1, labels);
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      inFlight.add(-1, labels);
      duration.observe((this.#clock.monotonicMs() - startedMs) / 1_000, labels);
    };
  }

  /** {@link begin} for a request that is over when its answer is, however that ends. */
  watch(request: { method: string; pathname: string; isReadOnly: boolean }, response: ServerResponse): void {
    response.once('close', this.begin(request.method, request.pathname, request.isReadOnly));
  }
}

const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

function createFigures(metrics: MetricsRegistry) {
  return {
    total: metrics.counter('kubelet_http_requests_total', 'Requests that came, by method and path.'),
    inFlight: metrics.gauge('kubelet_http_inflight_requests', 'Requests that are being answered.'),
    duration: metrics.histogram(
      'kubelet_http_requests_duration_seconds',
      'Seconds that it took to answer requests.',
      buckets,
    ),
  };
}
