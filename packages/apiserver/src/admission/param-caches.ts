import type { Clock, Timer } from '@wherry/clock';
import { periods } from '../limits.ts';
import type { ApiObject } from '../objects/api-object.ts';
import { shownSnapshots } from '../objects/shown-snapshots.ts';
import type { ServedResource } from '../objects/strategy.ts';
import type { Store, StoreEvent, StoreWatch } from '../store/store.ts';
import type { StoredValue } from '../store/stored-value.ts';

/**
 * The objects of kinds that policies take for parameters, kept while policies ask for them: loaded when the first does, followed
 * from then on, and let go when none has for `periods.paramsIdleMs`. They are as new as the last acknowledged write where the
 * store reports a write before it acknowledges it, and follow it otherwise.
 */
export class ParamCaches {
  readonly #options: { store: Store; clock: Clock };
  readonly #known = new Map<ServedResource, { cache: Promise<ParamCache>; usedAtMs: number }>();
  #timer: Timer | undefined;

  constructor(options: { store: Store; clock: Clock }) {
    this.#options = options;
  }

  /** Those of one resource as it shows them: one by its name, or all of a namespace. Shared: do not change. */
  async find(resource: ServedResource, namespace: string, name: string | undefined): Promise<ApiObject[]> {
    const cache = await this.#of(resource);
    return cache.find(namespace, name);
  }

  close(): void {
    this.#timer?.cancel();
    for (const resource of this.#known.keys()) this.#letGo(resource);
  }

  #of(resource: ServedResource): Promise<ParamCache> {
    const { store, clock } = this.#options;
    const known = this.#known.get(resource);
    const cache = known?.cache ?? ParamCache.load(resource, store, () => this.#letGo(resource));
    this.#known.set(resource, { cache, usedAtMs: clock.monotonicMs() });
    // Whoever waits for it is told; the next asks anew.
    if (!known) cache.catch(() => this.#known.delete(resource));
    this.#timer ??= clock.after(periods.paramsIdleMs, () => this.#sweep());
    return cache;
  }

  #sweep(): void {
    const { clock } = this.#options;
    this.#timer = undefined;
    const oldestMs = clock.monotonicMs() - periods.paramsIdleMs;
    for (const [resource, { usedAtMs }] of this.#known) if (usedAtMs <= oldestMs) this.#letGo(resource);
    if (this.#known.size > 0) this.#timer = clock.after(periods.paramsIdleMs, () => this.#sweep());
  }

  #letGo(resource: ServedResource): void {
    const known = this.#known.get(resource);
    this.#known.delete(resource);
    known?.cache.then(
      (cache) => cache.close(),
      () => {},
    );
  }
}

/** All objects of one resource. */
class ParamCache {
  readonly #resource: ServedResource;
  /** By namespace, then by name; '' is the namespace of what has none. */
  readonly #stored = new Map<string, Map<string, StoredValue>>();
  /** What has been shown before. */
  readonly #shown = new WeakMap<StoredValue, ApiObject>();
  #watch: StoreWatch | undefined;

  private constructor(resource: ServedResource) {
    this.#resource = resource;
  }

  /** `onEnd` is called when it can't follow the store any longer. */
  static async load(resource: ServedResource, store: Store, onEnd: () => void): Promise<ParamCache> {
    const cache = new ParamCache(resource);
    const prefix = resource.keyPrefix;
    const { items, revision } = await store.range({ prefix });
    for (const stored of items) cache.#put(stored.key, stored);
    const onEvents = (events: readonly StoreEvent[]) => {
      for (const { key, current } of events) cache.#put(key, current);
    };
    cache.#watch = await store.watch({ prefix, afterRevision: revision, onEvents, onEnd });
    return cache;
  }

  async find(namespace: string, name: string | undefined): Promise<ApiObject[]> {
    const objects = this.#stored.get(namespace) ?? new Map<string, StoredValue>();
    const names = name === undefined ? [...objects.keys()].sort() : [name];
    const found = names.map((each) => objects.get(each)).filter((stored) => stored !== undefined);
    const others = found.filter((stored) => !this.#shown.has(stored));
    const shown = await shownSnapshots(this.#resource, others);
    for (const [index, stored] of others.entries()) this.#shown.set(stored, shown[index]!.object);
    return found.map((stored) => this.#shown.get(stored)!);
  }

  close(): void {
    this.#watch?.close();
  }

  #put(key: string, stored: StoredValue | null): void {
    const place = key.slice(this.#resource.keyPrefix.length);
    const at = this.#resource.facts.namespaced ? place.indexOf('/') : -1;
    const namespace = at < 0 ? '' : place.slice(0, at);
    const name = place.slice(at + 1);
    const objects = this.#stored.get(namespace) ?? new Map<string, StoredValue>();
    if (stored) objects.set(name, stored);
    else objects.delete(name);
    if (objects.size > 0) this.#stored.set(namespace, objects);
    else this.#stored.delete(namespace);
  }
}
