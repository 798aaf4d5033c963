import { type Labels, SeriesTable } from './series-table.ts';

interface Collector {
  render(): string[];
}

class Family implements Collector {
  readonly #name: string;
  readonly #help: string;
  readonly #type: 'counter' | 'gauge';
  readonly #measure: (() => void) | undefined;
  readonly #series = new SeriesTable(() => ({ value: 0 }));

  constructor(name: string, help: string, type: 'counter' | 'gauge', measure?: () => void) {
    this.#measure = measure;
    this.#name = name;
    this.#help = help;
    this.#type = type;
  }

  add(amount: number, labels: Labels = {}): void {
    this.#series.at(labels).value += amount;
  }

  set(value: number, labels: Labels = {}): void {
    this.#series.at(labels).value = value;
  }

  value(labels: Labels = {}): number {
    return this.#series.find(labels)?.value ?? 0;
  }

  series(labels: Labels): GaugeSeries {
    const series = this.#series.at(labels);
    return {
      add: (amount) => {
        series.value += amount;
      },
      set: (value) => {
        series.value = value;
      },
    };
  }

  forget(labels: Labels): void {
    this.#series.forget(labels);
  }

  render(): string[] {
    this.#measure?.();
    const lines = [`# HELP ${this.#name} ${this.#help}`, `# TYPE ${this.#name} ${this.#type}`];
    for (const [labels, { value }] of this.#series.entries()) lines.push(`${this.#name}${labels} ${value}`);
    return lines;
  }
}

/** One series of a counter, held by who counts in it often: its labels are put in words once. */
export interface CounterSeries {
  add(amount: number): void;
}

/** One series of a gauge, held likewise. */
export interface GaugeSeries extends CounterSeries {
  set(value: number): void;
}

/** One series of a histogram, held likewise. */
export interface HistogramSeries {
  observe(value: number): void;
}

/** A number that only grows. */
export interface Counter {
  add(amount: number, labels?: Labels): void;
  value(labels?: Labels): number;
  /** The series of these labels, shown from now on. Once they are forgotten, what it counts is not shown. */
  series(labels: Labels): CounterSeries;
  /** What these labels stand for is gone: their series is shown no more. */
  forget(labels: Labels): void;
}

/** A number that goes both ways. */
export interface Gauge extends Counter {
  set(value: number, labels?: Labels): void;
  series(labels: Labels): GaugeSeries;
}

/** `counts` are those of each bucket alone, the last one of what is beyond all bounds. */
interface Distribution {
  counts: number[];
  sum: number;
  count: number;
}

class BucketHistogram implements Collector {
  readonly #name: string;
  readonly #help: string;
  readonly #bounds: number[];
  readonly #series: SeriesTable<Distribution>;

  constructor(name: string, help: string, bounds: number[]) {
    this.#name = name;
    this.#help = help;
    this.#bounds = bounds;
    this.#series = new SeriesTable(() => ({
      ...{ counts: new Array<number>(bounds.length + 1).fill(0), sum: 0, count: 0 },
    }));
  }

  observe(value: number, labels: Labels = {}): void {
    this.#observe(value, this.#series.at(labels));
  }

  series(labels: Labels): HistogramSeries {
    const distribution = this.#series.at(labels);
    return { observe: (value) => this.#observe(value, distribution) };
  }

  #observe(value: number, distribution: Distribution): void {
    distribution.sum += value;
    distribution.count += 1;
    let bucket = 0;
    while (bucket < this.#bounds.length && !(value <= this.#bounds[bucket]!)) bucket += 1;
    distribution.counts[bucket]! += 1;
  }

  forget(labels: Labels): void {
    this.#series.forget(labels);
  }

  /** Shows the series without labels before anything is observed. */
  begin(): void {
    this.#series.at({});
  }

  render(): string[] {
    const lines = [`# HELP ${this.#name} ${this.#help}`, `# TYPE ${this.#name} histogram`];
    for (const [labels, { counts, sum, count }] of this.#series.entries()) {
      const bucket = (bound: string) =>
        labels === '' ? `{le="${bound}"}` : `${labels.slice(0, -1)},le="${bound}"}`;
      let within = 0;
      for (const [index, bound] of this.#bounds.entries()) {
        within += counts[index]!;
        lines.push(`${this.#name}_bucket${bucket(String(bound))} ${within}`);
      }
      lines.push(`${this.#name}_bucket${bucket('+Inf')} ${count}`);
      lines.push(`${this.#name}_sum${labels} ${sum}`, `${this.#name}_count${labels} ${count}`);
    }
    return lines;
  }
}

/** A distribution of observations, in seconds unless its name says otherwise. */
export interface Histogram {
  observe(value: number, labels?: Labels): void;
  /** The series of these labels, shown from now on. Once they are forgotten, what it observes is not shown. */
  series(labels: Labels): HistogramSeries;
  /** What these labels stand for is gone: their series is shown no more. */
  forget(labels: Labels): void;
}

/** Upper bounds in seconds that suit requests of a local node. */
export const requestSecondsBuckets = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** The metrics of one process, rendered in the Prometheus text format 0.0.4. */
export class MetricsRegistry {
  readonly #collectors = new Map<string, Collector>();

  /** Throws when `name` is taken. */
  counter(name: string, help: string): Counter {
    return this.#register(name, new Family(name, help, 'counter'));
  }

  /** Throws when `name` is taken. `measure` is called before it is shown. */
  gauge(name: string, help: string, measure?: () => void): Gauge {
    return this.#register(name, new Family(name, help, 'gauge', measure));
  }

  /** Throws when `name` is taken. */
  histogram(name: string, help: string, bounds: number[] = requestSecondsBuckets): Histogram {
    return this.#register(name, new BucketHistogram(name, help, bounds));
  }

  /** A counter without labels, shown from the start as 0. Throws when `name` is taken. */
  plainCounter(name: string, help: string): Counter {
    const counter = this.counter(name, help);
    counter.add(0);
    return counter;
  }

  /** A gauge without labels, shown from the start as 0. Throws when `name` is taken. `measure` is called before it is shown. */
  plainGauge(name: string, help: string, measure?: () => void): Gauge {
    const gauge = this.gauge(name, help, measure);
    gauge.set(0);
    return gauge;
  }

  /** A histogram without labels, shown from the start with nothing in it. Throws when `name` is taken. */
  plainHistogram(name: string, help: string, bounds: number[] = requestSecondsBuckets): Histogram {
    const histogram = this.#register(name, new BucketHistogram(name, help, bounds));
    histogram.begin();
    return histogram;
  }

  render(): string {
    return `${[...this.#collectors.values()].flatMap((collector) => collector.render()).join('\n')}\n`;
  }

  #register<T extends Collector>(name: string, collector: T): T {
    if (this.#collectors.has(name)) throw new Error(`metric "${name}" is registered twice`);
    this.#collectors.set(name, collector);
    return collector;
  }
}
