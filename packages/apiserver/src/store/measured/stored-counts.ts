import type { Clock } from '@wherry/clock';
import type { Gauge, Logger, MetricsRegistry } from '@wherry/telemetry';
import { periods } from '../../limits.ts';
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
}

/**
 * How many objects the store has of each resource, and how much it takes: counted when somebody asks, once a minute at most, as often
 * as upstream does (storage/etcd3/metrics). -1 where it could not be counted.
 */
export class StoredCounts {
  readonly #options: StoredCountsOptions;
  readonly #byGroup: Gauge;
  readonly #byName: Gauge;
  readonly #size: Gauge;
  /** Names that are shown. */
  #shown = new Map<string, GroupResource>();
  #countedMs = -Infinity;
  #running: Promise<void> | undefined;

  constructor(options: StoredCountsOptions) {
    this.#options = options;
    const { metrics } = options;
    this.#byGroup = metrics.gauge('apiserver_resource_objects', 'Stored objects, by resource.');
    this.#byName = metrics.gauge(
      'apiserver_storage_objects',
      'Stored objects, by resource. apiserver_resource_objects has its group apart.',
    );
    this.#size = metrics.gauge('apiserver_storage_size_bytes', 'What the store takes on its disk.');
  }

  /** Resolves when the figures are a minute old at most. Never rejects. */
  refresh(): Promise<void> {
    const { clock, logger } = this.#options;
    if (clock.monotonicMs() - this.#countedMs < periods.objectCountMs) return Promise.resolve();
    this.#running ??= this.#count()
      .then(() => {
        this.#countedMs = clock.monotonicMs();
      })
      .catch((error: unknown) => logger.warn('the objects in the store could not be counted', { error }))
      .finally(() => {
        this.#running = undefined;
      });
    return this.#running;
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
    this.#size.set(await store.sizeBytes(), { storage_cluster_id: store.shared ? 'etcd-0' : 'sqlite-0' });
  }
}

async function countIn(store: Store, prefix: string): Promise<number> {
  const { items, remaining = 0 } = await store.range({ prefix, limit: 1, countsRemaining: true });
  return items.length + remaining;
}
