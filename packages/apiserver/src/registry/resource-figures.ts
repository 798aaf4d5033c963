import { once } from '@wherry/bytes';
import type { Clock } from '@wherry/clock';
import type { ResourceFacts } from '@wherry/kubeapi';
import type { Counter, Histogram, MetricsRegistry } from '@wherry/telemetry';
import { StoreFigures } from '../store/measured/store-figures.ts';
import type { Store } from '../store/store.ts';

/** What a list has come to. */
export interface Listed {
  /** Objects that were read of the store. */
  fetched: number;
  /** Of those, the ones that were held against the selection. */
  evaluated: number;
  returned: number;
}

/** What is told of one resource: its objects in the store, its lists and its watches. */
export interface ResourceFigures {
  /** The store that its objects are in. */
  readonly store: Store;
  listed(list: Listed): void;
  /** Events of these lengths in bytes were sent to a watch. */
  sent(eventBytes: readonly number[]): void;
  /** A watch was ended that had fallen too far behind. */
  fellBehind(): void;
  /** All that was there when a watch began has been told. */
  toldInitial(scope: 'cluster' | 'namespace' | 'resource', tookMs: number): void;
}

/** Counts what is done with the objects of resources (upstream: storage/etcd3/metrics, endpoints/metrics, storage/cacher/metrics). */
export class RegistryFigures {
  readonly #store: StoreFigures;
  readonly #families: ReturnType<typeof familiesIn>;

  constructor(metrics: MetricsRegistry, clock: Clock) {
    this.#store = new StoreFigures(metrics, clock);
    this.#families = familiesIn(metrics);
  }

  of({ group, version, plural: resource }: ResourceFacts, store: Store): ResourceFigures {
    const families = this.#families;
    const lists = once(() => listSeries(families, { group, resource }));
    const watches = once(() => {
      const labels = { group, version, resource };
      return { events: families.events.series(labels), sizes: families.sizes.series(labels) };
    });
    return {
      store: this.#store.measured(store, { group, resource }),
      listed({ fetched, evaluated, returned }) {
        const series = lists();
        series.total.add(1);
        series.fetched.add(fetched);
        series.evaluated.add(evaluated);
        series.returned.add(returned);
      },
      sent(eventBytes) {
        const { events, sizes } = watches();
        events.add(eventBytes.length);
        for (const bytes of eventBytes) sizes.observe(bytes);
      },
      fellBehind: () => families.fellBehind.add(1, { group, resource }),
      toldInitial: (scope, tookMs) =>
        families.initial.observe(tookMs / 1000, { group, version, resource, scope }),
    };
  }
}

function listSeries(
  { lists }: ReturnType<typeof familiesIn>,
  labels: { group: string; resource: string },
): Record<keyof typeof lists, ReturnType<Counter['series']>> {
  const { total, fetched, evaluated, returned } = lists;
  return {
    total: total.series(labels),
    fetched: fetched.series(labels),
    evaluated: evaluated.series(labels),
    returned: returned.series(labels),
  };
}

function familiesIn(metrics: MetricsRegistry) {
  const list = (end: string, help: string): Counter => metrics.counter(`apiserver_storage_list_${end}`, help);
  const sizes: Histogram = metrics.histogram(
    'apiserver_watch_events_sizes',
    'Bytes of events as they are sent to watches.',
    [1024, 2048, 4096, 8192, 16384, 32768, 65536, 131072],
  );
  return {
    lists: {
      total: list('total', 'Lists that were read of the store.'),
      fetched: list('fetched_objects_total', 'Objects that were read of the store for lists.'),
      evaluated: list('evaluated_objects_total', 'Objects that were held against the selections of lists.'),
      returned: list('returned_objects_total', 'Objects that lists have told.'),
    },
    events: metrics.counter('apiserver_watch_events_total', 'Events that were sent to watches.'),
    sizes,
    initial: metrics.histogram(
      'apiserver_watch_list_duration_seconds',
      'Time until a watch had told all that was there.',
      [0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 2, 4, 6, 8, 10, 15, 20, 30, 45, 60],
    ),
    fellBehind: metrics.counter(
      'apiserver_terminated_watchers_total',
      'Watches that were ended since they had fallen too far behind.',
    ),
  };
}
