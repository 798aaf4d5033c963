import type { Counter, CounterSeries, Gauge, Histogram, HistogramSeries } from '@wherry/telemetry';
import type { RequestLabels, RequestManner } from './request-labels.ts';

/** The families that tell requests apart by what they are about. */
export interface RequestFamilies {
  total: Counter;
  duration: Histogram;
  ownDuration: Histogram;
  longRunning: Gauge;
  responseSizes: Histogram;
  bodySizes: Histogram;
  terminations: Counter;
  aborts: Counter;
}

const bodyVerbs: ReadonlyMap<string, string> = new Map([
  ['POST', 'create'],
  ['PUT', 'update'],
  ['DELETE', 'delete'],
]);

/** The series of requests that are about the same thing in the same way, each made when it is needed first. */
export class RequestSeries {
  readonly #families: RequestFamilies;
  readonly #labels: RequestLabels;
  readonly #byCode = new Map<number, CounterSeries>();
  #duration: HistogramSeries | undefined;
  #ownDuration: HistogramSeries | undefined;
  #longRunning: CounterSeries | undefined;
  #responseSizes: HistogramSeries | undefined;
  #bodySizes: HistogramSeries | undefined;

  constructor(families: RequestFamilies, labels: RequestLabels) {
    this.#families = families;
    this.#labels = labels;
  }

  count(code: number): void {
    let series = this.#byCode.get(code);
    if (!series) {
      series = this.#families.total.series({ ...this.#labels, code: String(code) });
      this.#byCode.set(code, series);
    }
    series.add(1);
  }

  took(seconds: number): void {
    this.#duration ??= this.#families.duration.series(this.#labels);
    this.#duration.observe(seconds);
  }

  /** Without what others took; not of dry runs. */
  tookItself(seconds: number): void {
    if (this.#labels.dry_run !== '') return;
    this.#ownDuration ??= this.#families.ownDuration.series(this.#place());
    this.#ownDuration.observe(seconds);
  }

  /** Of watches and streams: one more, or one less. */
  goesOn(difference: 1 | -1): void {
    this.#longRunning ??= this.#families.longRunning.series(this.#place());
    this.#longRunning.add(difference);
  }

  answeredWith(bytes: number): void {
    this.#responseSizes ??= this.#families.responseSizes.series(this.#place());
    this.#responseSizes.observe(bytes);
  }

  /** Of what was written, or a deletion's options. */
  wasSent(bytes: number): void {
    const { group, resource, verb, scope } = this.#labels;
    if (resource === '') return;
    const isMany = verb === 'DELETE' && scope !== 'resource';
    this.#bodySizes ??= this.#families.bodySizes.series({
      ...{ group, resource, verb: isMany ? 'delete_collection' : (bodyVerbs.get(verb) ?? 'patch') },
    });
    this.#bodySizes.observe(bytes);
  }

  /** It was sent away, so that the server can go on. */
  terminated(code: number): void {
    this.#families.terminations.add(1, { ...this.#place(), code: String(code) });
  }

  /** Its answer was broken off. */
  aborted(): void {
    const { component: _, ...place } = this.#place();
    this.#families.aborts.add(1, place);
  }

  #place(): Omit<RequestLabels, 'dry_run'> {
    const { dry_run: _, ...place } = this.#labels;
    return place;
  }
}

type ByScope = Map<string, Map<string, RequestSeries>>;

/**
 * Finds the series of requests without putting their labels in words. They go with what they are about: with a definition that is
 * served no more.
 */
export class RequestSeriesTable {
  readonly #families: RequestFamilies;
  readonly #known = new WeakMap<object, Map<string, Map<string, ByScope>>>();

  constructor(families: RequestFamilies) {
    this.#families = families;
  }

  /** `labels` is called where there are none yet. */
  of(
    thing: object,
    subresource: string,
    { verb, dryRun, scope }: RequestManner,
    labels: () => RequestLabels,
  ): RequestSeries {
    const bySubresource = made(this.#known, thing, () => new Map<string, Map<string, ByScope>>());
    const byVerb = made(bySubresource, subresource, () => new Map<string, ByScope>());
    const byScope = made(byVerb, verb, (): ByScope => new Map());
    const byDryRun = made(byScope, scope, () => new Map<string, RequestSeries>());
    return made(byDryRun, dryRun, () => new RequestSeries(this.#families, labels()));
  }
}

function made<Key, Value>(
  table: { get(key: Key): Value | undefined; set(key: Key, value: Value): unknown },
  key: Key,
  make: () => Value,
): Value {
  const known = table.get(key);
  if (known !== undefined) return known;
  const value = make();
  table.set(key, value);
  return value;
}
