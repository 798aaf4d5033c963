import { orAborted } from '@wherry/bytes';
import { type Clock, systemClock } from '@wherry/clock';
import type { KubeObject } from '../objects/objects.ts';
import type { ResourceClient, SelectOptions } from '../resources/resource-client.ts';
import type { WatchEvent } from '../resources/watch-events.ts';
import { Reflector } from './reflector.ts';
import { type Indices, keyOf, ObjectStore } from './store.ts';

/** What an informer calls, in the order of the changes. What a handler throws is told to `failed`. */
export interface InformerHandlers<T> {
  added?(object: T): void;
  updated?(object: T, previous: T): void;
  /** The last known state of what is gone. */
  deleted?(object: T): void;
  /** After each complete list: once at the start, and again after each relist. */
  synced?(): void;
  /** A list or watch failed and will be tried again. */
  failed?(error: Error): void;
  /** The server has taken a watch: whatever {@link failed} told of is over. */
  watching?(): void;
}

/** What an informer follows. */
export interface InformerOptions<T extends KubeObject> extends Omit<SelectOptions, 'resourceVersion'> {
  resource: ResourceClient<T>;
  /** Default: the system's. */
  clock?: Clock | undefined;
  handlers?: InformerHandlers<T> | undefined;
  /** Kept up to date for {@link Informer.byIndex}. */
  indices?: Indices<T> | undefined;
  /**
   * Takes the first state as a stream of events (WatchList), where the server offers it: neither side then holds a
   * whole list. Default false.
   */
  streamsList?: boolean | undefined;
  /** Number in [0, 1) used for jitter; default `Math.random`. */
  random?: (() => number) | undefined;
}

/**
 * Keeps a local copy of a selection of objects: list, then watch from the list's version. A watch that ends in order,
 * is torn, falls silent or is refused for load goes on where it was; after 410 all is listed anew and the difference
 * told. Runs from {@link start} until {@link close}.
 */
export class Informer<T extends KubeObject> implements AsyncDisposable {
  readonly #options: InformerOptions<T>;
  readonly #store: ObjectStore<T>;
  readonly #listeners = new Set<InformerHandlers<T>>();
  readonly #abort = new AbortController();
  readonly #firstSync = Promise.withResolvers<void>();
  readonly #reflector: Reflector<T>;
  #hasSynced = false;
  #running: Promise<void> | undefined;

  constructor(options: InformerOptions<T>) {
    this.#options = options;
    this.#store = new ObjectStore(options.indices);
    if (options.handlers) this.#listeners.add(options.handlers);
    this.#firstSync.promise.catch(() => {});
    this.#reflector = this.#createReflector();
  }

  /** The objects by {@link keyOf}. Do not change them: they are shared. */
  get objects(): ReadonlyMap<string, T> {
    return this.#store.objects;
  }

  get hasSynced(): boolean {
    return this.#hasSynced;
  }

  /** The version up to which {@link objects} are known; undefined before the first list and while a new one is made. */
  get resourceVersion(): string | undefined {
    return this.#reflector.version;
  }

  /** The object of that name, or undefined. */
  get(name: string, namespace?: string): T | undefined {
    return this.#store.objects.get(keyOf({ metadata: { name, ...(namespace ? { namespace } : {}) } }));
  }

  /** The objects that an index of the options has under `value`. Throws `RangeError` for an unknown index. */
  byIndex(name: string, value: string): T[] {
    return this.#store.byIndex(name, value);
  }

  /** Tells `listener` of all that is there already, as added, and of what changes from now on. Returns how to stop. */
  on(listener: InformerHandlers<T>): () => void {
    this.#listeners.add(listener);
    for (const object of this.objects.values()) this.#call(listener, (to) => to.added?.(object));
    if (this.#hasSynced) this.#call(listener, (to) => to.synced?.());
    return () => void this.#listeners.delete(listener);
  }

  /** Begins; a second call does nothing. Ends when `signal` of the options aborts or on {@link close}. */
  start(): this {
    const { signal } = this.#options;
    const combined = signal ? AbortSignal.any([signal, this.#abort.signal]) : this.#abort.signal;
    this.#running ??= this.#run(combined);
    return this;
  }

  /** Resolves after the first complete list; rejects when `signal` aborts or the informer is closed before it. */
  synced(signal?: AbortSignal): Promise<void> {
    return orAborted(this.#firstSync.promise, signal);
  }

  /** Ends list and watch; no handler is called after it has resolved. Repeats are harmless. */
  async close(): Promise<void> {
    this.#abort.abort(new Error('informer closed'));
    // One that never began ends here, so that nobody waits for its first list.
    this.start();
    await this.#running;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #createReflector(): Reflector<T> {
    const { resource, namespace, labelSelector, fieldSelector, clock, streamsList, random } = this.#options;
    return new Reflector<T>({
      resource,
      select: { namespace, labelSelector, fieldSelector },
      streamsList: streamsList ?? false,
      clock: clock ?? systemClock,
      random: random ?? Math.random,
      reflection: {
        replace: (objects) => this.#replace(objects),
        change: (event) => this.#change(event),
        failed: (error) => this.#tell((to) => to.failed?.(error)),
        watching: () => this.#tell((to) => to.watching?.()),
      },
    });
  }

  async #run(signal: AbortSignal): Promise<void> {
    await this.#reflector.run(signal);
    const reason: unknown = signal.reason;
    this.#firstSync.reject(reason instanceof Error ? reason : new Error(String(reason)));
  }

  #replace(objects: readonly T[]): void {
    const gone = new Map(this.#store.objects);
    for (const object of objects) {
      gone.delete(keyOf(object));
      this.#put(object);
    }
    for (const [key, object] of gone) this.#remove(key, object);
    this.#hasSynced = true;
    this.#firstSync.resolve();
    this.#tell((to) => to.synced?.());
  }

  #change({ type, object }: WatchEvent<T>): void {
    if (type === 'DELETED') this.#remove(keyOf(object), object);
    else this.#put(object);
  }

  #put(object: T): void {
    const key = keyOf(object);
    const previous = this.#store.objects.get(key);
    const { uid, resourceVersion } = object.metadata ?? {};
    const isOther = previous !== undefined && previous.metadata?.uid !== uid;
    // The same name with another uid is another object: the old one went while nobody watched.
    if (isOther) this.#remove(key, previous);
    this.#store.set(key, object);
    if (!previous || isOther) this.#tell((to) => to.added?.(object));
    else if (previous.metadata?.resourceVersion !== resourceVersion) {
      this.#tell((to) => to.updated?.(object, previous));
    }
  }

  #remove(key: string, last: T): void {
    if (this.#store.delete(key)) this.#tell((to) => to.deleted?.(last));
  }

  #tell(call: (to: InformerHandlers<T>) => void): void {
    // One that another stops meanwhile hears no more.
    for (const listener of [...this.#listeners])
      if (this.#listeners.has(listener)) this.#call(listener, call);
  }

  #call(listener: InformerHandlers<T>, call: (to: InformerHandlers<T>) => void): void {
    try {
      call(listener);
    } catch (error) {
      try {
        listener.failed?.(error instanceof Error ? error : new Error(String(error)));
      } catch {
        // It was told.
      }
    }
  }
}
