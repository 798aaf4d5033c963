import { orAborted } from '@wherry/bytes';
import { type Backoff, backoff, type Clock, sleep, systemClock } from '@wherry/clock';
import { StatusError } from '@wherry/kubeapi';
import { limits } from '../limits.ts';
import type { KubeObject } from './objects.ts';
import type { ResourceClient, SelectOptions } from './resource-client.ts';
import type { WatchEvent } from './watch.ts';

/** What an informer calls, in the order of the changes. A handler must not throw. */
export interface InformerHandlers<T> {
  added?(object: T): void;
  updated?(object: T, previous: T): void;
  /** The last known state of what is gone. */
  deleted?(object: T): void;
  /** After each complete list: once at the start, and again after each relist. */
  synced?(): void;
  /** A list or watch failed and will be tried again. */
  failed?(error: Error): void;
}

/** What an informer follows. */
export interface InformerOptions<T extends KubeObject> extends Omit<SelectOptions, 'resourceVersion'> {
  resource: ResourceClient<T>;
  /** Default: the system's. */
  clock?: Clock | undefined;
  handlers?: InformerHandlers<T>;
  /** Number in [0, 1) used for jitter; default `Math.random`. */
  random?: () => number;
}

/** `namespace/name`, or `name` for what has no namespace. */
export function keyOf(object: KubeObject): string {
  const { namespace, name = '' } = object.metadata ?? {};
  return namespace ? `${namespace}/${name}` : name;
}

/**
 * Keeps a local copy of a selection of objects: list, then watch from the list's version; after an end in order it
 * watches on, after 410 it lists anew and reports the difference. Runs from {@link start} until {@link close}.
 */
export class Informer<T extends KubeObject> {
  readonly #options: InformerOptions<T>;
  readonly #objects = new Map<string, T>();
  readonly #abort = new AbortController();
  readonly #firstSync = Promise.withResolvers<void>();
  #hasSynced = false;
  #running: Promise<void> | undefined;
  #resourceVersion: string | undefined;

  constructor(options: InformerOptions<T>) {
    this.#options = options;
    this.#firstSync.promise.catch(() => {});
  }

  /** The objects by {@link keyOf}. Do not change them: they are shared. */
  get objects(): ReadonlyMap<string, T> {
    return this.#objects;
  }

  get hasSynced(): boolean {
    return this.#hasSynced;
  }

  /** The version up to which {@link objects} are known; undefined before the first list and while a new one is made. */
  get resourceVersion(): string | undefined {
    return this.#resourceVersion;
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
    await this.#running;
  }

  async #run(signal: AbortSignal): Promise<void> {
    const { clock = systemClock, random } = this.#options;
    const delays = backoff({ ...limits.informerBackoffMs, jitter: 0.5, ...(random ? { random } : {}) });
    while (!signal.aborted) {
      try {
        if (this.#resourceVersion === undefined) await this.#list(signal);
        await this.#watch(signal, delays);
        // A server that ends watches at once must not be asked in a tight loop.
        await sleep({ clock, delayMs: limits.informerBackoffMs.initialMs, signal });
      } catch (error) {
        if (signal.aborted) break;
        if (isExpired(error)) this.#resourceVersion = undefined;
        else this.#options.handlers?.failed?.(asError(error));
        await sleep({ clock, delayMs: delays.nextDelayMs(), signal }).catch(() => {});
      }
    }
    this.#firstSync.reject(asError(signal.reason));
  }

  async #list(signal: AbortSignal): Promise<void> {
    const { resource, namespace, labelSelector, fieldSelector } = this.#options;
    const list = await resource.listAll({ namespace, labelSelector, fieldSelector, signal });
    const gone = new Map(this.#objects);
    for (const object of list.items) {
      gone.delete(keyOf(object));
      this.#put(object);
    }
    for (const [key, object] of gone) this.#remove(key, object);
    this.#resourceVersion = list.metadata?.resourceVersion ?? '0';
    this.#hasSynced = true;
    this.#firstSync.resolve();
    this.#options.handlers?.synced?.();
  }

  async #watch(signal: AbortSignal, delays: Backoff): Promise<void> {
    const { resource, namespace, labelSelector, fieldSelector } = this.#options;
    const jitter = 1 + (this.#options.random ?? Math.random)();
    const events = resource.watch({
      namespace,
      labelSelector,
      fieldSelector,
      resourceVersion: this.#resourceVersion,
      allowWatchBookmarks: true,
      timeoutSeconds: Math.round(limits.watchTimeoutSecondsMin * jitter),
      signal,
    });
    for await (const event of events) {
      delays.reset();
      this.#apply(event);
    }
    delays.reset();
  }

  #apply({ type, object }: WatchEvent<T>): void {
    const version = object.metadata?.resourceVersion;
    if (version) this.#resourceVersion = version;
    if (type === 'DELETED') this.#remove(keyOf(object), object);
    else if (type !== 'BOOKMARK') this.#put(object);
  }

  #put(object: T): void {
    const key = keyOf(object);
    const previous = this.#objects.get(key);
    const { uid, resourceVersion } = object.metadata ?? {};
    // The same name with another uid is another object: the old one went while nobody watched.
    if (previous && previous.metadata?.uid !== uid) this.#remove(key, previous);
    this.#objects.set(key, object);
    const handlers = this.#options.handlers;
    if (!previous || previous.metadata?.uid !== uid) handlers?.added?.(object);
    else if (previous.metadata?.resourceVersion !== resourceVersion) handlers?.updated?.(object, previous);
  }

  #remove(key: string, last: T): void {
    if (this.#objects.delete(key)) this.#options.handlers?.deleted?.(last);
  }
}

function isExpired(error: unknown): boolean {
  return error instanceof StatusError && error.code === 410;
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}
