import type { Clock } from '@wherry/clock';
import { type APIService, type JsonObject, jsonEqual } from '@wherry/kubeapi';
import { type Logger, unattended } from '@wherry/telemetry';
import { ensure } from '../bootstrap/ensure.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { ApiObject } from '../objects/api-object.ts';
import type { ObjectCache } from '../objects/object-cache.ts';
import type { Collection } from '../registry/collection.ts';
import { deletionOf } from '../registry/deletion.ts';
import type { StoreWatch } from '../store/store.ts';
import { builtInPriority, customPriority, metricsPriority, type Priority } from './priorities.ts';

/** What the objects are kept with. */
export interface LocalServicesOptions {
  /** APIServices. */
  collection: Collection;
  services: ObjectCache<APIService>;
  catalog: Catalog;
  /** Other servers, of which some may be upstream's, have theirs there, too. */
  isStoreShared: boolean;
  clock: Clock;
  logger: Logger;
}

interface Wanted {
  group: string;
  version: string;
  priority: Priority;
  /** Undefined: made where there is none, and left alone from then on. */
  label: 'onstart' | 'true' | undefined;
}

/** On what the server keeps: `onstart` built in, `true` of custom resources (upstream: autoregistration). */
const managedLabel = 'kube-aggregator.kubernetes.io/automanaged';
const metricsGroup = 'metrics.k8s.io';
const ownGroup = 'apiregistration.k8s.io';

/**
 * One APIService for each version of a group that this server serves, custom resources too. What somebody else has made
 * stays, so that another server may take a group over.
 */
export class LocalServices {
  readonly #options: LocalServicesOptions;
  #watch: StoreWatch | undefined;
  #leave = () => {};
  #running: Promise<void> | undefined;
  #isDue = false;
  #isClosed = false;

  constructor(options: LocalServicesOptions) {
    this.#options = options;
  }

  /** Once the caches have started, and definitions are installed: resolves when the objects are there. */
  async start(): Promise<void> {
    const { collection, catalog } = this.#options;
    await this.#sync();
    const { resource, storage } = collection;
    this.#watch = await storage.store.watch({
      prefix: resource.keyPrefix,
      onEvents: () => this.#syncSoon(),
    });
    this.#leave = catalog.onChange(() => this.#syncSoon());
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#leave();
    this.#watch?.close();
    await this.#running;
  }

  #syncSoon(): void {
    this.#isDue = true;
    if (this.#running || this.#isClosed) return;
    this.#running = Promise.resolve()
      .then(() => this.#sync())
      .finally(() => {
        this.#running = undefined;
        if (this.#isDue) this.#syncSoon();
      });
    unattended(this.#running, { logger: this.#options.logger, task: 'the APIServices of this server' });
  }

  /** All at once, so that they are one write to the disk. */
  async #sync(): Promise<void> {
    const { services, logger, catalog, isStoreShared } = this.#options;
    this.#isDue = false;
    const served = wantedOf(catalog);
    // Upstream's servers tell clients of whatever stands there, and who asks them for a group that they lack gets an error.
    const kept = isStoreShared ? served.filter(({ label }) => label) : served;
    const wanted = new Map(kept.map((each) => [nameOf(each), each]));
    const gone = [...services.values()].filter(({ metadata }) => {
      const label = metadata.labels?.[managedLabel];
      // What is built into another server is that one's.
      const isKept = !label || (isStoreShared && label === 'onstart');
      return !isKept && !wanted.has(metadata.name ?? '');
    });
    const work = [
      ...[...wanted.values()].map((each) => this.#keep(each)),
      ...gone.map((each) => this.#remove(each)),
    ];
    const fail = (error: unknown) => {
      if (!this.#isClosed) logger.warn('an APIService can not be kept', { error });
    };
    await Promise.all(work.map((done) => done.catch(fail)));
  }

  async #keep(wanted: Wanted): Promise<void> {
    const { collection, services } = this.#options;
    const name = nameOf(wanted);
    const known = services.get(name);
    const { group, version, label, priority } = wanted;
    const spec: JsonObject = { ...(group === '' ? {} : { group }), version, ...priority };
    const labels = label ? { [managedLabel]: label } : undefined;
    if (!known)
      return ensure(collection, { metadata: { name, ...(labels ? { labels } : {}) }, spec } as ApiObject);
    const isOurs = label !== undefined && known.metadata.labels?.[managedLabel] !== undefined;
    if (!isOurs || jsonEqual(known.spec as unknown as JsonObject, spec)) return;
    const change = (current: ApiObject) => ({ next: { ...current, spec } });
    await collection.storage.change({ namespace: '', name, change });
  }

  async #remove({ metadata: { name = '', uid } }: APIService): Promise<void> {
    const { collection, clock } = this.#options;
    const { strategy } = collection.resource;
    await collection.storage.change({
      ...{ namespace: '', name, preconditions: { uid } },
      change: (current) => deletionOf(current, {}, { strategy, nowMs: clock.nowMs() }),
    });
  }
}

const nameOf = ({ group, version }: Pick<Wanted, 'group' | 'version'>) => `${version}.${group}`;

function wantedOf(catalog: Catalog): Wanted[] {
  const versions = new Map(catalog.facts().map((facts) => [nameOf(facts), facts]));
  return [...versions.values()]
    .filter(({ group }) => group !== ownGroup)
    .map(({ group, version }) => {
      if (group === metricsGroup) return { group, version, priority: metricsPriority, label: undefined };
      const priority = builtInPriority(group, version);
      return { group, version, priority: priority ?? customPriority, label: priority ? 'onstart' : 'true' };
    });
}
