import type { Counter, Gauge, GaugeSeries, Histogram, MetricsRegistry } from '@wherry/telemetry';
import type { RefusalReason } from './fair-queue.ts';
import type { LevelPlaces } from './level.ts';
import type { Place } from './levels.ts';

/** Upper bounds in seconds of waiting and of being served, as upstream has them. */
const secondsBounds = [0, 0.005, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30];

/** One request in line: what is told of it on its way. */
export interface FlowPassage {
  /** It has waited so long for its place. */
  starts(waitedMs: number): void;
  refused(reason: RefusalReason, waitedMs: number): void;
  /** It has given its place back. */
  ends(servedMs: number): void;
}

/** Counts requests that wait for their turn and that have it, under upstream's names. Each takes one seat here. */
export class FlowFigures {
  readonly #families: ReturnType<typeof familiesIn>;
  readonly #bySchema = new WeakMap<object, Map<string, SchemaSeries>>();
  readonly #inQueue: { mutating: GaugeSeries; readOnly: GaugeSeries };

  constructor(metrics: MetricsRegistry) {
    this.#families = familiesIn(metrics);
    const inQueue = metrics.gauge('apiserver_current_inqueue_requests', 'Requests that wait for their turn.');
    const seriesOf = (request_kind: string) => inQueue.series({ request_kind });
    this.#inQueue = { mutating: seriesOf('mutating'), readOnly: seriesOf('readOnly') };
  }

  /** The places of a level have changed; none: it is gone. */
  places(priority_level: string, { nominal, kept, max }: LevelPlaces, total: number): void {
    this.#families.nominal.set(nominal, { priority_level });
    this.#families.lower.set(kept, { priority_level });
    this.#families.upper.set(Math.min(max, total), { priority_level });
  }

  /** Somebody was sent away without a look at who he is, or what for. */
  refusedUnknown(): void {
    const place = { priority_level: 'unknown', flow_schema: 'unknown' };
    this.#families.rejected.add(1, { ...place, reason: 'queue-full' });
  }

  /** A watch or a stream was sent away. */
  refusedLong(place: Place): void {
    this.#families.rejected.add(1, { ...labelsOf(place), reason: 'long-running' });
  }

  enters(place: Place, isMutating: boolean): FlowPassage {
    const series = this.#seriesOf(place);
    const inQueue = isMutating ? this.#inQueue.mutating : this.#inQueue.readOnly;
    inQueue.add(1);
    series.waits(1);
    const leaves = () => {
      inQueue.add(-1);
      series.waits(-1);
    };
    return {
      starts: (waitedMs) => {
        leaves();
        series.starts(waitedMs);
      },
      refused: (reason, waitedMs) => {
        leaves();
        this.#families.rejected.add(1, { ...labelsOf(place), reason });
        this.#families.waited.observe(waitedMs / 1000, { execute: 'false', ...labelsOf(place) });
      },
      ends: (servedMs) => series.ends(servedMs),
    };
  }

  #seriesOf(place: Place): SchemaSeries {
    const { level, schema } = place;
    const byName = this.#bySchema.get(level) ?? new Map<string, SchemaSeries>();
    this.#bySchema.set(level, byName);
    const series = byName.get(schema.name) ?? new SchemaSeries(this.#families, labelsOf(place));
    byName.set(schema.name, series);
    return series;
  }
}

const labelsOf = ({ level, schema }: Place) => ({ priority_level: level.name, flow_schema: schema.name });

/** Of requests that one FlowSchema sends to one level. */
class SchemaSeries {
  readonly #executing: readonly GaugeSeries[];
  readonly #waiting: readonly GaugeSeries[];
  readonly #waited: ReturnType<Histogram['series']>;
  readonly #served: ReturnType<Histogram['series']>;
  readonly #dispatched: ReturnType<Counter['series']>;

  constructor(families: ReturnType<typeof familiesIn>, labels: ReturnType<typeof labelsOf>) {
    const seriesOf = (gauge: Gauge) => gauge.series(labels);
    this.#executing = families.executing.map(seriesOf);
    this.#waiting = families.waiting.map(seriesOf);
    this.#waited = families.waited.series({ execute: 'true', ...labels });
    this.#served = families.served.series({ ...labels, type: 'regular' });
    this.#dispatched = families.dispatched.series(labels);
  }

  waits(difference: 1 | -1): void {
    for (const gauge of this.#waiting) gauge.add(difference);
  }

  starts(waitedMs: number): void {
    this.#waited.observe(waitedMs / 1000);
    this.#dispatched.add(1);
    for (const gauge of this.#executing) gauge.add(1);
  }

  ends(servedMs: number): void {
    this.#served.observe(servedMs / 1000);
    for (const gauge of this.#executing) gauge.add(-1);
  }
}

function familiesIn(metrics: MetricsRegistry) {
  const gauge = (end: string, help: string) => metrics.gauge(`apiserver_flowcontrol_${end}`, help);
  const counter = (end: string, help: string) => metrics.counter(`apiserver_flowcontrol_${end}`, help);
  const histogram = (end: string, help: string) =>
    metrics.histogram(`apiserver_flowcontrol_${end}`, help, secondsBounds);
  return {
    executing: [
      gauge('current_executing_requests', 'Requests that have a place.'),
      gauge('current_executing_seats', 'Places that requests have.'),
    ],
    waiting: [
      gauge('current_inqueue_requests', 'Requests that wait for a place.'),
      gauge('current_inqueue_seats', 'Places that are waited for.'),
    ],
    nominal: gauge('nominal_limit_seats', 'Places that are its own or lent, by level.'),
    lower: gauge('lower_limit_seats', 'Places that are never lent, by level.'),
    upper: gauge('upper_limit_seats', 'Places with those that may be borrowed, by level.'),
    waited: histogram('request_wait_duration_seconds', 'Waits for a place, and whether there was one.'),
    served: histogram('request_execution_seconds', 'Time that requests had their place.'),
    dispatched: counter('dispatched_requests_total', 'Requests that got a place.'),
    rejected: counter('rejected_requests_total', 'Requests that got 429, and why.'),
  };
}
