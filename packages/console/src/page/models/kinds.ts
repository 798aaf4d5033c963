import { type DiscoveredResource, kinds, type ResourceType } from '@wherry/client';

/** The kinds of one API group. */
export interface KindGroup {
  /** `core` for the group without a name. */
  title: string;
  kinds: DiscoveredResource[];
}

/** Which resource, without what a server says of it. */
export type ResourceKey = Pick<ResourceType, 'group' | 'version' | 'plural'>;

/** The one resource that the console never reads: what it holds is not for a page to show. */
export const isSecret = ({ group, plural }: Pick<ResourceKey, 'group' | 'plural'>): boolean =>
  group === kinds.secrets.group && plural === kinds.secrets.plural;

/**
 * What can be listed and is shown: of each resource the version that its server prefers, groups and kinds by their names.
 * Left out are secrets, and events in their second group.
 */
export function listedKinds(resources: readonly DiscoveredResource[]): KindGroup[] {
  const shown = new Map<string, DiscoveredResource>();
  for (const resource of resources) {
    const name = `${resource.plural}.${resource.group}`;
    const isLeftOut = isSecret(resource) || name === 'events.events.k8s.io';
    if (!shown.has(name) && !isLeftOut && resource.verbs.includes('list')) shown.set(name, resource);
  }
  const groups = Map.groupBy(shown.values(), ({ group }) => group);
  return [...groups]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([group, kinds]) => ({
      title: group || 'core',
      kinds: kinds.sort((one, other) => (one.kind < other.kind ? -1 : 1)),
    }));
}

/** The resource of a kind, as references name it: in its version, else in another of its group. */
export function kindOf<T extends ResourceType>(
  resources: readonly T[],
  { apiVersion = '', kind = '' }: { apiVersion?: string | undefined; kind?: string | undefined },
): T | undefined {
  const [version = '', group = ''] = apiVersion.split('/').toReversed();
  const all = resources.filter((one) => one.group === group && one.kind === kind);
  return all.find((one) => one.version === version) ?? all[0];
}

/** The resource of that name and version among some. */
export const findKind = <T extends ResourceKey>(
  resources: readonly T[],
  { group, version, plural }: ResourceKey,
): T | undefined =>
  resources.find((one) => one.group === group && one.version === version && one.plural === plural);
