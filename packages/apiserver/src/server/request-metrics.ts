import type { IncomingMessage } from 'node:http';
import type { Clock } from '@wherry/clock';
import type { Counter, Gauge, Histogram, MetricsRegistry } from '@wherry/telemetry';
import { isLongRunning, sessionsPath } from '../flow/long-running.ts';
import type { RequestInfo } from '../http/request-info.ts';
import { type IsKnownResource, labelsOf, type RequestLabels } from './request-labels.ts';

/** Upper bounds in seconds, which objectives of clusters are written by; upstream's. */
const withinSeconds = [
  ...[0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3],
  ...[4, 5, 6, 8, 10, 15, 20, 30, 45, 60],
];

/** One request that is being served. */
export interface MeasuredRequest {
  /** What it is about, once that is known. */
  isAbout(info: RequestInfo): void;
  /** Time that it spent in line or on webhooks, which is not this server's. */
  waited(ms: number): void;
  /** It is over. Called once. */
  ended(code: number): void;
}

/** Counts and times requests under upstream's metric names and labels. */
export class RequestMetrics {
  readonly #total: Counter;
  readonly #duration: Histogram;
  readonly #ownDuration: Histogram;
  readonly #inFlight: Gauge;
  readonly #longRunning: Gauge;
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
      'Time to the end of the answer, and of watches and streams.',
      [0.005, 0.025, ...withinSeconds],
    );
    this.#ownDuration = metrics.histogram(
      'apiserver_request_sli_duration_seconds',
      'The same without what was spent in line and on webhooks, and without dry runs.',
      withinSeconds,
    );
    this.#inFlight = metrics.gauge(
      'apiserver_current_inflight_requests',
      'Requests that are being served, but for watches and streams.',
    );
    for (const request_kind of ['mutating', 'readOnly']) this.#inFlight.set(0, { request_kind });
    this.#longRunning = metrics.gauge(
      'apiserver_longrunning_requests',
      'Watches and streams that are being served.',
    );
  }

  begin(http: IncomingMessage): MeasuredRequest {
    const startedMs = this.#clock.monotonicMs();
    let waitedMs = 0;
    let path: string | undefined;
    let labels: RequestLabels | undefined;
    let leave = () => {};
    return {
      isAbout: (info) => {
        path = info.path;
        labels = labelsOf(http, info, this.#isKnown);
        leave = this.#enter(info, labels);
      },
      waited: (ms) => {
        waitedMs += ms;
      },
      ended: (code) => {
        leave();
        labels ??= labelsOf(http, undefined, this.#isKnown);
        this.#total.add(1, { ...labels, code: String(code) });
        if (path === sessionsPath) return;
        const tookMs = this.#clock.monotonicMs() - startedMs;
        this.#duration.observe(tookMs / 1000, labels);
        const { dry_run, ...place } = labels;
        if (dry_run === '') this.#ownDuration.observe((tookMs - waitedMs) / 1000, place);
      },
    };
  }

  #enter(info: RequestInfo, { dry_run: _, ...labels }: RequestLabels): () => void {
    const isLong = isLongRunning(info);
    const gauge = isLong ? this.#longRunning : this.#inFlight;
    const place = isLong ? labels : { request_kind: readingVerbs.has(info.verb) ? 'readOnly' : 'mutating' };
    gauge.add(1, place);
    return () => gauge.add(-1, place);
  }
}

const readingVerbs: ReadonlySet<string> = new Set(['get', 'list', 'watch', 'head', 'options']);
