import type { Store, StoreEvent, StoreWatch, StoreWrite } from '../store/store.ts';

const prefix = '/wherry.definitions/turns/';

/**
 * Servers that share a store give names of a group in turns: who gives some writes beside them that it did, under the
 * condition that no other has, of which this one has not heard.
 */
export class NameTurns {
  readonly #store: Store;
  /** By key, the revision of the last turn. */
  readonly #revisions = new Map<string, number>();
  #watch: StoreWatch | undefined;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Before the definitions are read. Does nothing where one server alone writes. */
  async start(): Promise<void> {
    if (!this.#store.shared) return;
    const { items, revision } = await this.#store.range({ prefix });
    for (const { key, modRevision } of items) this.#revisions.set(key, modRevision);
    const onEvents = (events: readonly StoreEvent[]) => this.#follow(events);
    this.#watch = await this.#store.watch({ prefix, afterRevision: revision, onEvents });
  }

  close(): void {
    this.#watch?.close();
  }

  /** What is to be written beside names that are chosen by what is known now. */
  of(group: string): readonly StoreWrite[] {
    if (!this.#store.shared) return [];
    const key = `${prefix}${group}`;
    const expectedRevision = this.#revisions.get(key) ?? 0;
    return [{ key, value: JSON.stringify({ after: expectedRevision }), expectedRevision }];
  }

  #follow(events: readonly StoreEvent[]): void {
    for (const { key, current } of events) {
      if (current) this.#revisions.set(key, current.modRevision);
      else this.#revisions.delete(key);
    }
  }
}
