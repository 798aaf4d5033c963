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

/** What is asked of a store, in upstream's words. */
export type StoreOperation = 'get' | 'list' | 'create' | 'update' | 'delete';

/** Passes everything on to a store, and tells how long single answers, lists and writes took. */
export class MeasuredStore implements Store {
  readonly #store: Store;
  readonly #timed: <T>(operation: StoreOperation, answer: Promise<T>) => Promise<T>;

  constructor(store: Store, timed: <T>(operation: StoreOperation, answer: Promise<T>) => Promise<T>) {
    this.#store = store;
    this.#timed = timed;
  }

  get shared(): Store['shared'] {
    return this.#store.shared;
  }

  get failed(): Store['failed'] {
    return this.#store.failed;
  }

  revision(): Promise<number> {
    return this.#store.revision();
  }

  get(key: string): Promise<StoredValue | null> {
    return this.#timed('get', this.#store.get(key));
  }

  range(options: RangeOptions): Promise<RangePage> {
    return this.#timed('list', this.#store.range(options));
  }

  write(write: StoreWrite, alongside?: readonly StoreWrite[]): Promise<StoreWriteResult> {
    const operation = write.value === null ? 'delete' : write.expectedRevision === 0 ? 'create' : 'update';
    return this.#timed(operation, this.#store.write(write, alongside));
  }

  history(options: { prefix: string; afterRevision: number }): Promise<HistoryPage> {
    return this.#store.history(options);
  }

  watch(options: StoreWatchOptions): Promise<StoreWatch> {
    return this.#store.watch(options);
  }

  compact(revision: number): Promise<void> {
    return this.#store.compact(revision);
  }

  sizeBytes(): Promise<number> {
    return this.#store.sizeBytes();
  }

  close(): Promise<void> {
    return this.#store.close();
  }
}
