import type { Catalog } from './catalog.ts';

/** A resource, and where its objects stand in the store. */
export interface StoredResource {
  group: string;
  resource: string;
  keyPrefix: string;
}

/** What is stored; a resource of several versions once, by the first of them. */
export function storedResources(catalog: Catalog): Iterable<StoredResource> {
  const byPrefix = new Map<string, StoredResource>();
  for (const { collection } of catalog.entries()) {
    const { keyPrefix, facts } = collection.resource;
    if (!byPrefix.has(keyPrefix))
      byPrefix.set(keyPrefix, { group: facts.group, resource: facts.plural, keyPrefix });
  }
  return byPrefix.values();
}
