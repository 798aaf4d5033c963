import type { GroupVersionKind } from '@wherry/kubeapi';
import type { Store, StoreEvent, StoreWatch } from '../store/store.ts';
import type { ApiObject } from './api-object.ts';
import { objectOf } from './stored-text.ts';

/**
 * All objects of one kind, parsed, for what must be known on every request (namespaces, roles, nodes). It is as new
 * as the last acknowledged write, since the store reports a write before it acknowledges it.
 */
export class ObjectCache<T> {
  readonly #objects = new Map<string, T>();
  /** The same by namespace, then by name; '' is the namespace of what has none. */
  readonly #byNamespace = new Map<string, Map<string, T>>();
  readonly #gvk: GroupVersionKind;
  readonly #prefix: string;
  #watch: StoreWatch | undefined;
  /** Grows with each change; for whoever derives something from the objects. */
  generation = 0;

  constructor(options: { prefix: string; gvk: GroupVersionKind }) {
    this.#gvk = options.gvk;
    this.#prefix = options.prefix;
  }

  /** Loads what is there and follows changes until {@link close}. */
  async start(store: Store): Promise<void> {
    const { items, revision } = await store.range({ prefix: this.#prefix });
    for (const stored of items) this.#put(this.#nameOf(stored.key), this.#parse(stored));
    const onEvents = (events: readonly StoreEvent[]) => this.#follow(events);
    this.#watch = await store.watch({ prefix: this.#prefix, afterRevision: revision, onEvents });
  }

  /** By `name`, or `namespace/name`. */
  get(name: string): T | undefined {
    return this.#objects.get(name);
  }

  /** The key in the store of the object that {@link get} calls by `name`. */
  keyOf(name: string): string {
    return `${this.#prefix}${name}`;
  }

  values(): Iterable<T> {
    return this.#objects.values();
  }

  /** Those of one namespace, by name. */
  inNamespace(namespace: string): ReadonlyMap<string, T> {
    return this.#byNamespace.get(namespace) ?? new Map<string, T>();
  }

  get size(): number {
    return this.#objects.size;
  }

  close(): void {
    this.#watch?.close();
  }

  #follow(events: readonly StoreEvent[]): void {
    this.generation += 1;
    for (const { key, current } of events) {
      if (current) this.#put(this.#nameOf(key), this.#parse(current));
      else this.#remove(this.#nameOf(key));
    }
  }

  #put(key: string, object: T): void {
    const [namespace, name] = splitKey(key);
    const siblings = this.#byNamespace.get(namespace) ?? new Map<string, T>();
    this.#byNamespace.set(namespace, siblings.set(name, object));
    this.#objects.set(key, object);
  }

  #remove(key: string): void {
    const [namespace, name] = splitKey(key);
    const siblings = this.#byNamespace.get(namespace);
    siblings?.delete(name);
    if (siblings?.size === 0) this.#byNamespace.delete(namespace);
    this.#objects.delete(key);
  }

  #parse(stored: Parameters<typeof objectOf>[0]): T {
    const object: ApiObject = objectOf(stored, this.#gvk);
    return object as unknown as T;
  }

  #nameOf(key: string): string {
    return key.slice(this.#prefix.length);
  }
}

function splitKey(key: string): [namespace: string, name: string] {
  const at = key.indexOf('/');
  return at < 0 ? ['', key] : [key.slice(0, at), key.slice(at + 1)];
}
