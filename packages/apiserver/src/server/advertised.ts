import type { ResourceFacts } from '@wherry/kubeapi';
import type { ResourceHandler } from './resource-router.ts';

/**
 * Throws when discovery tells of something that nothing answers: a resource without storage and handler, or a
 * sub-resource without handler. What a client finds there it calls.
 */
export function requireHandlers(
  served: readonly ResourceFacts[],
  handlers: ReadonlyMap<string, ResourceHandler>,
): void {
  const missing = served.flatMap((facts) => {
    const path = `${facts.group}/${facts.version}/${facts.plural}`;
    const isStored = facts.verbs.includes('get');
    const subresources = (facts.subresources ?? [])
      .filter(({ name }) => !(name === 'status' && isStored))
      .map(({ name }) => `${path}/${name}`);
    return [...(isStored ? [] : [path]), ...subresources].filter((name) => !handlers.has(name));
  });
  if (missing.length > 0)
    throw new Error(`the API server tells of what nothing answers: ${missing.join(', ')}`);
}
