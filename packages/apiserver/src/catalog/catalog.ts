import type { ResourceFacts } from '@wherry/kubeapi';
import type { Collection } from '../registry/collection.ts';
import type { Handlers } from '../registry/handler.ts';
import { requireAnswers, requireAttributes } from './requirements.ts';
import { withStorageVersion } from './storage-version.ts';

/** A resource that is served. */
export interface CatalogEntry {
  /** Its objects, with what the resource is and how it behaves. */
  readonly collection: Collection;
  /** What answers beside plain storage. */
  readonly handlers: Handlers;
  /** Aborts when the entry is taken out: watches end then. Absent: it stays. */
  readonly retired?: AbortSignal;
  /** Told to whoever asks for it. */
  readonly warning?: string | undefined;
  /** False for as long as it is served without being told of. Absent: it is told of at once. */
  readonly isAnnounced?: () => boolean;
}

/**
 * The resources that a server serves: router, discovery and OpenAPI follow it, and it may grow and shrink while the
 * server runs. Documents made from it are good for as long as its generation stays.
 */
export class Catalog {
  readonly #entries = new Map<string, CatalogEntry>();
  readonly #listeners = new Set<() => void>();
  #generation = 0;

  /** Throws like {@link Catalog.add}. */
  constructor(entries: Iterable<CatalogEntry> = []) {
    for (const entry of entries) this.add(entry);
  }

  /** Counts the changes. */
  get generation(): number {
    return this.#generation;
  }

  /** In the order in which they came. */
  entries(): CatalogEntry[] {
    return [...this.#entries.values()];
  }

  /** What discovery tells, in the order of the entries. */
  facts(): ResourceFacts[] {
    return this.entries()
      .filter(({ isAnnounced }) => isAnnounced?.() ?? true)
      .map(({ collection }) => withStorageVersion(collection.resource.facts));
  }

  /** The resource at `/apis/GROUP/VERSION/PLURAL`, or undefined. */
  find(group: string, version: string, plural: string): CatalogEntry | undefined {
    return this.#entries.get(`${group}/${version}/${plural}`);
  }

  /**
   * Throws when there is one at that path already, when it advertises what nothing answers, or a route that
   * authorization would take for another one.
   */
  add(entry: CatalogEntry): void {
    const { facts } = entry.collection.resource;
    const path = pathOf(facts);
    if (this.#entries.has(path)) throw new Error(`the catalog has ${path} already; remove it first`);
    requireAnswers(facts, entry.handlers);
    requireAttributes(facts);
    this.#entries.set(path, entry);
    this.#changed();
  }

  /** False when there was nothing at that path. */
  remove(group: string, version: string, plural: string): boolean {
    const isThere = this.#entries.delete(`${group}/${version}/${plural}`);
    if (isThere) this.#changed();
    return isThere;
  }

  /** Another of its entries is told of from now on. */
  announced(): void {
    this.#changed();
  }

  /** Calls back after each change, until the result is called. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #changed(): void {
    this.#generation += 1;
    for (const listener of this.#listeners) listener();
  }
}

/** `group/version/plural`. */
export function pathOf({ group, version, plural }: ResourceFacts): string {
  return `${group}/${version}/${plural}`;
}
