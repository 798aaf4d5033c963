import type { StoreError } from '../errors.ts';
import type {
  HistoryPage,
  RangeOptions,
  RangePage,
  Store,
  StoreWatch,
  StoreWatchOptions,
  StoreWrite,
  StoreWriteResult,
} from '../store.ts';
import type { StoredValue } from '../stored-value.ts';

/** A store that keeps the keys below some prefixes in place of the main one. */
export interface StorePart {
  prefixes: readonly string[];
  store: Store;
}

/**
 * Several stores of which each keeps some resources (kube-apiserver's `--etcd-servers-overrides`). A key is read, written and followed
 * in the part that has it. Each part counts revisions of its own, so that those of a resource are told by {@link partFor}.
 * What is written alongside into another part stays there when the write itself is refused or lost.
 */
export class PartedStore implements Store {
  readonly #main: Store;
  readonly #parts: readonly StorePart[];
  /** Whose revisions are told. */
  readonly #own: Store;

  constructor(main: Store, parts: readonly StorePart[], own: Store = main) {
    this.#main = main;
    this.#parts = parts;
    this.#own = own;
  }

  /** The stores beside the main one, in their order. */
  get others(): readonly Store[] {
    return this.#parts.map(({ store }) => store);
  }

  /** The same, seen by a resource whose keys begin with `prefix`. */
  of(prefix: string): PartedStore {
    return new PartedStore(this.#main, this.#parts, this.#at(prefix));
  }

  get shared(): Store['shared'] {
    return this.#main.shared;
  }

  get failed(): Promise<StoreError> {
    return Promise.race(this.#all.map(({ failed }) => failed));
  }

  revision(): Promise<number> {
    return this.#own.revision();
  }

  get(key: string): Promise<StoredValue | null> {
    return this.#at(key).get(key);
  }

  range(options: RangeOptions): Promise<RangePage> {
    return this.#at(options.prefix).range(options);
  }

  async write(write: StoreWrite, alongside: readonly StoreWrite[] = []): Promise<StoreWriteResult> {
    const store = this.#at(write.key);
    const isWith = (other: StoreWrite) => this.#at(other.key) === store;
    for (const other of alongside) if (!isWith(other)) await this.#at(other.key).write(other);
    return store.write(write, alongside.filter(isWith));
  }

  history(options: { prefix: string; afterRevision: number }): Promise<HistoryPage> {
    return this.#at(options.prefix).history(options);
  }

  watch(options: StoreWatchOptions): Promise<StoreWatch> {
    return this.#at(options.prefix).watch(options);
  }

  compact(revision: number): Promise<void> {
    return this.#own.compact(revision);
  }

  sizeBytes(): Promise<number> {
    return this.#own.sizeBytes();
  }

  async close(): Promise<void> {
    await Promise.all(this.#all.map((store) => store.close()));
  }

  get #all(): Store[] {
    return [this.#main, ...this.others];
  }

  /** Where keys are that begin so; all keys are those of the own part. */
  #at(key: string): Store {
    if (key === '/') return this.#own;
    return (
      this.#parts.find(({ prefixes }) => prefixes.some((each) => key.startsWith(each)))?.store ?? this.#main
    );
  }
}

/** The store as a resource sees it whose keys begin with `prefix`: its revisions are those of the part that has them. */
export function partFor(store: Store, prefix: string): Store {
  return store instanceof PartedStore ? store.of(prefix) : store;
}
