import type { Clock } from '@wherry/clock';
import type { Counter, CounterSeries, Histogram, HistogramSeries, MetricsRegistry } from '@wherry/telemetry';
import { StoreError } from '../errors.ts';
import type { Store } from '../store.ts';
import { MeasuredStore, type StoreOperation } from './measured-store.ts';

/** A resource, as labels name it. */
export interface GroupResource {
  group: string;
  resource: string;
}

/** Upper bounds in seconds, as upstream has them. */
const secondsBounds = [
  ...[0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3],
  ...[4, 5, 6, 8, 10, 15, 20, 30, 45, 60],
];

interface OperationSeries {
  seconds: HistogramSeries;
  requests: CounterSeries;
  errors: () => CounterSeries;
}

/**
 * Counts and times what is asked of the store, by resource: under the names of etcd, which rules and dashboards ask by, whichever
 * store it is (upstream: storage/etcd3/metrics).
 */
export class StoreFigures {
  readonly #clock: Clock;
  readonly #seconds: Histogram;
  readonly #requests: Counter;
  readonly #errors: Counter;

  constructor(metrics: MetricsRegistry, clock: Clock) {
    this.#clock = clock;
    this.#seconds = metrics.histogram(
      'etcd_request_duration_seconds',
      'Time that the store took.',
      secondsBounds,
    );
    this.#requests = metrics.counter('etcd_requests_total', 'How often the store was asked.');
    this.#errors = metrics.counter('etcd_request_errors_total', 'How often the store refused or failed.');
  }

  /** The same store, for one resource. */
  measured(store: Store, resource: GroupResource): Store {
    const known = new Map<StoreOperation, OperationSeries>();
    const seriesOf = (operation: StoreOperation) => {
      const series = known.get(operation) ?? this.#seriesOf(operation, resource);
      known.set(operation, series);
      return series;
    };
    return new MeasuredStore(store, <T>(operation: StoreOperation, answer: Promise<T>): Promise<T> => {
      const startedMs = this.#clock.monotonicMs();
      const { seconds, requests, errors } = seriesOf(operation);
      const ended = () => {
        seconds.observe((this.#clock.monotonicMs() - startedMs) / 1000);
        requests.add(1);
      };
      // Beside whoever waits for the answer, and not before.
      answer.then(ended, (error: unknown) => {
        ended();
        if (!isLostRace(error)) errors().add(1);
      });
      return answer;
    });
  }

  #seriesOf(operation: StoreOperation, { group, resource }: GroupResource): OperationSeries {
    const labels = { operation, group, resource };
    let errors: CounterSeries | undefined;
    return {
      seconds: this.#seconds.series(labels),
      requests: this.#requests.series(labels),
      errors: () => (errors ??= this.#errors.series(labels)),
    };
  }
}

/** Somebody else wrote first, which is the store's good answer. */
const isLostRace = (error: unknown) => error instanceof StoreError && error.code === 'conflict';
