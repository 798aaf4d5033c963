import type { IncomingMessage } from 'node:http';
import type { Clock } from '@wherry/clock';
import type { Gauge, Histogram, HistogramSeries, MetricsRegistry } from '@wherry/telemetry';
import { isLongRunning, sessionsPath } from '../../flow/long-running.ts';
import { isReading, type RequestInfo } from '../../http/request-info.ts';
import { fieldValidationOf, healthPathOf, type KnownResource, labelsOf, mannerOf } from './request-labels.ts';
import { type RequestSeries, RequestSeriesTable } from './request-series.ts';

/** Upper bounds in seconds, which objectives of clusters are written by; upstream's. */
const withinSeconds = [
  ...[0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3],
  ...[4, 5, 6, 8, 10, 15, 20, 30, 45, 60],
];

/** What a request passes before it is served, in upstream's words and order. */
const filters = ['authentication', 'audit', 'impersonation', 'priorityandfairness', 'authorization'] as const;

/** One of them. */
export type RequestFilter = (typeof filters)[number];

/** One request that is being served. */
export interface MeasuredRequest {
  /** What it is about, once that is known. */
  isAbout(info: RequestInfo): void;
  /** It has passed a filter, which it came to at that time of {@link Clock.monotonicMs}. Answers what time it is now. */
  passed(filter: RequestFilter, sinceMs: number): number;
  /** Time that it spent in line or on webhooks, which is not this server's. */
  waited(ms: number): void;
  /** The length of the answer to a read, on its way to the client. */
  answeredWith(bytes: number): void;
  /** The length of its body, once that was read. */
  wasSent(bytes: number): void;
  /** It was sent away with this code, so that the server can go on. */
  terminated(code: number): void;
  /** Its answer was broken off. */
  aborted(): void;
  /** It is over. Called once. */
  ended(code: number): void;
}

/** Counts and times requests under upstream's metric names and labels. */
export class RequestMetrics {
  readonly #table: RequestSeriesTable;
  readonly #inFlight: { mutating: ReturnType<Gauge['series']>; readOnly: ReturnType<Gauge['series']> };
  readonly #passed: Record<RequestFilter, HistogramSeries>;
  readonly #fieldValidation: Histogram;
  readonly #clock: Clock;
  readonly #known: KnownResource;
  /** Stands for all that is no resource of this server. */
  readonly #elsewhere = {};

  constructor(metrics: MetricsRegistry, clock: Clock, known: KnownResource) {
    this.#clock = clock;
    this.#known = known;
    this.#table = new RequestSeriesTable({
      total: metrics.counter(
        'apiserver_request_total',
        'Requests by what they were about and how they ended.',
      ),
      duration: metrics.histogram(
        'apiserver_request_duration_seconds',
        'Time to the end of the answer, and of watches and streams.',
        [0.005, 0.025, ...withinSeconds],
      ),
      ownDuration: metrics.histogram(
        'apiserver_request_sli_duration_seconds',
        'The same without what was spent in line and on webhooks, and without dry runs.',
        withinSeconds,
      ),
      longRunning: metrics.gauge(
        'apiserver_longrunning_requests',
        'Watches and streams that are being served.',
      ),
      responseSizes: metrics.histogram(
        'apiserver_response_sizes',
        'Bytes of the answers to reads, as they are sent.',
        [1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9],
      ),
      bodySizes: metrics.histogram(
        'apiserver_request_body_size_bytes',
        'Bytes of the bodies of requests that write.',
        Array.from({ length: 31 }, (_, index) => 50_000 + 100_000 * index),
      ),
      terminations: metrics.counter(
        'apiserver_request_terminations_total',
        'Requests that were sent away so that the server can go on.',
      ),
      aborts: metrics.counter('apiserver_request_aborts_total', 'Requests whose answer was broken off.'),
    });
    const inFlight = metrics.gauge(
      'apiserver_current_inflight_requests',
      'Requests that are being served, but for watches and streams.',
    );
    const [mutating, readOnly] = ['mutating', 'readOnly'].map((kind) =>
      inFlight.series({ request_kind: kind }),
    );
    this.#inFlight = { mutating: mutating!, readOnly: readOnly! };
    const passed = metrics.histogram(
      'apiserver_request_filter_duration_seconds',
      'Time that requests took to pass what stands before their serving.',
      [0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 5, 10, 15, 30],
    );
    const seriesOf = (filter: RequestFilter) => [filter, passed.series({ filter })] as const;
    this.#passed = Object.fromEntries(filters.map(seriesOf)) as Record<RequestFilter, HistogramSeries>;
    this.#fieldValidation = metrics.histogram(
      'field_validation_request_duration_seconds',
      'Time to the end of the answer, by how strictly unknown fields were to be taken.',
      withinSeconds,
    );
  }

  begin(http: IncomingMessage): MeasuredRequest {
    const startedMs = this.#clock.monotonicMs();
    let waitedMs = 0;
    let path: string | undefined;
    let known: RequestSeries | undefined;
    let leave = () => {};
    const series = () => (known ??= this.#seriesOf(http, undefined));
    return {
      isAbout: (info) => {
        path = info.path;
        known = this.#seriesOf(http, info);
        leave = this.#enter(info, known);
      },
      passed: (filter, sinceMs) => {
        const nowMs = this.#clock.monotonicMs();
        this.#passed[filter].observe((nowMs - sinceMs) / 1000);
        return nowMs;
      },
      waited: (ms) => {
        waitedMs += ms;
      },
      answeredWith: (bytes) => series().answeredWith(bytes),
      wasSent: (bytes) => series().wasSent(bytes),
      terminated: (code) => series().terminated(code),
      aborted: () => series().aborted(),
      ended: (code) => {
        leave();
        series().count(code);
        if (path === sessionsPath) return;
        const tookMs = this.#clock.monotonicMs() - startedMs;
        series().took(tookMs / 1000);
        series().tookItself((tookMs - waitedMs) / 1000);
        const field_validation = fieldValidationOf(http);
        if (field_validation !== '') this.#fieldValidation.observe(tookMs / 1000, { field_validation });
      },
    };
  }

  #seriesOf(http: IncomingMessage, info: RequestInfo | undefined): RequestSeries {
    const thing = info?.isResource ? this.#known(info) : undefined;
    const isKnown = thing !== undefined;
    const subresource = isKnown && info ? info.subresource : healthPathOf(info);
    const manner = mannerOf(http, info, isKnown);
    return this.#table.of(thing ?? this.#elsewhere, subresource, manner, () =>
      labelsOf(manner, info, isKnown),
    );
  }

  #enter(info: RequestInfo, series: RequestSeries): () => void {
    if (isLongRunning(info)) {
      series.goesOn(1);
      return () => series.goesOn(-1);
    }
    const gauge = isReading(info) ? this.#inFlight.readOnly : this.#inFlight.mutating;
    gauge.add(1);
    return () => gauge.add(-1);
  }
}
