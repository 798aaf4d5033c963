import type { Clock } from '@wherry/clock';
import type { Gauge, Logger, MetricsRegistry } from '@wherry/telemetry';
import { PartedStore } from '../parted/parted-store.ts';
import type { Store } from '../store.ts';
import type { GroupResource } from './store-figures.ts';

/** What is counted in a store. */
export interface StoredCountsOptions {
  store: Store;
  /** Each resource once, with where its objects stand. */
  resources(): Iterable<GroupResource & { keyPrefix: string }>;
  metrics: MetricsRegistry;
  clock: Clock;
  logger: Logger;
  /** What was counted, and what was measured, is told again for so long; 0: neither is told at all. */
  countPeriodMs: number;
  sizePeriodMs: number;
}

/**
 * How many objects the store has of each resource, and how much it takes (upstream: storage/etcd3/metrics): counted when somebody
 * asks, and no more often than upstream does. -1 where it could not be counted.
 */
export class StoredCounts {
  readonly #options: StoredCountsOptions;
  readonly #byGroup: Gauge;
  readonly #byName: Gauge;
  readonly #size: Gauge;
  /** Names that are shown. */
  #shown = new Map<string, GroupResource>();
  readonly #counting: Lately;
  readonly #measuring: Lately;

  constructor(options: StoredCountsOptions) {
    this.#options = options;
    const { metrics } = options;
    this.#byGroup = metrics.gauge('apiserver_resource_objects', 'Stored objects, by resource.');
    this.#byName = metrics.gauge(
      'apiserver_storage_objects',
      'Stored objects, by resource. apiserver_resource_objects has its group apart.',
    );
    this.#size = metrics.gauge('apiserver_storage_size_bytes', 'What the store takes on its disk.');
    const { clock, countPeriodMs, sizePeriodMs } = options;
    this.#counting = new Lately(() => this.#count(), { clock, periodMs: countPeriodMs });
    this.#measuring = new Lately(() => this.#measure(), { clock, periodMs: sizePeriodMs });
  }

  /** Resolves when no figure is older than its period. Never rejects. */
  async refresh(): Promise<void> {
    try {
      await Promise.all([this.#counting.done(), this.#measuring.done()]);
    } catch (error) {
      this.#options.logger.warn('the objects in the store could not be counted', { error });
    }
  }

  async #count(): Promise<void> {
    const { store, resources } = this.#options;
    const before = this.#shown;
    this.#shown = new Map();
    for (const { group, resource, keyPrefix } of resources()) {
      const name = group === '' ? resource : `${resource}.${group}`;
      const count = await countIn(store, keyPrefix).catch(() => -1);
      this.#shown.set(name, { group, resource });
      this.#byGroup.set(count, { group, resource });
      this.#byName.set(count, { resource: name });
    }
    for (const [name, { group, resource }] of before) {
      if (this.#shown.has(name)) continue;
      this.#byGroup.forget({ group, resource });
      this.#byName.forget({ resource: name });
    }
  }

  async #measure(): Promise<void> {
    const { store } = this.#options;
    const stores = store instanceof PartedStore ? [store, ...store.others] : [store];
    for (const [index, each] of stores.entries())
      this.#size.set(await each.sizeBytes(), {
        storage_cluster_id: `${store.shared ? 'etcd' : 'sqlite'}-${index}`,
      });
  }
}

/** Work that is done again when it is asked for and was done longer ago than a period; never where that is 0. */
class Lately {
  readonly #work: () => Promise<void>;
  readonly #clock: Clock;
  readonly #periodMs: number;
  #doneMs = -Infinity;
  #running: Promise<void> | undefined;

  constructor(work: () => Promise<void>, { clock, periodMs }: { clock: Clock; periodMs: number }) {
    this.#work = work;
    this.#clock = clock;
    this.#periodMs = periodMs;
  }

  async done(): Promise<void> {
    if (this.#periodMs === 0 || this.#clock.monotonicMs() - this.#doneMs < this.#periodMs) return;
    this.#running ??= this.#work()
      .then(() => {
        this.#doneMs = this.#clock.monotonicMs();
      })
      .finally(() => {
        this.#running = undefined;
      });
    await this.#running;
  }
}

async function countIn(store: Store, prefix: string): Promise<number> {
  const { items, remaining = 0 } = await store.range({ prefix, limit: 1, countsRemaining: true });
  return items.length + remaining;
}
