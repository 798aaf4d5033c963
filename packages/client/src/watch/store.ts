import type { KubeObject } from '../objects/objects.ts';

/** Index name → the values under which an object is found. */
export type Indices<T> = Readonly<Record<string, (object: T) => readonly string[]>>;

/** `namespace/name`, or `name` for what has no namespace. */
export function keyOf(object: KubeObject): string {
  const { namespace, name = '' } = object.metadata ?? {};
  return namespace ? `${namespace}/${name}` : name;
}

/** Objects by {@link keyOf}, and by the values that indices give them. */
export class ObjectStore<T extends KubeObject> {
  readonly #objects = new Map<string, T>();
  readonly #indices: ReadonlyMap<
    string,
    { valuesOf: (object: T) => readonly string[]; keys: Map<string, Set<string>> }
  >;

  constructor(indices: Indices<T> = {}) {
    const made = Object.entries(indices).map(
      ([name, valuesOf]) => [name, { valuesOf, keys: new Map<string, Set<string>>() }] as const,
    );
    this.#indices = new Map(made);
  }

  /** Do not change the objects: they are shared. */
  get objects(): ReadonlyMap<string, T> {
    return this.#objects;
  }

  /** Throws `RangeError` for an index that was not asked for at the start. */
  byIndex(name: string, value: string): T[] {
    const index = this.#indices.get(name);
    if (!index) throw new RangeError(`the store has no index "${name}"`);
    return [...(index.keys.get(value) ?? [])].map((key) => this.#objects.get(key) as T);
  }

  set(key: string, object: T): void {
    const previous = this.#objects.get(key);
    if (previous) this.#unlink(key, previous);
    this.#objects.set(key, object);
    for (const { valuesOf, keys } of this.#indices.values()) {
      for (const value of valuesOf(object)) keys.set(value, (keys.get(value) ?? new Set()).add(key));
    }
  }

  /** False when there was none. */
  delete(key: string): boolean {
    const previous = this.#objects.get(key);
    if (previous) this.#unlink(key, previous);
    return this.#objects.delete(key);
  }

  #unlink(key: string, object: T): void {
    for (const { valuesOf, keys } of this.#indices.values()) {
      for (const value of valuesOf(object)) {
        const linked = keys.get(value);
        linked?.delete(key);
        if (linked?.size === 0) keys.delete(value);
      }
    }
  }
}
