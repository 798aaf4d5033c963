/** Discovery documents: what a server serves, in the old form (one document per group version) and aggregated. */
import type { APIGroup, APIGroupList, APIResource, APIResourceList, APIVersions } from './generated/types.ts';
import type { JsonObject } from './json/json-value.ts';
import { formatApiVersion, type ResourceFacts } from './schema/resources.ts';

/** The release of Kubernetes whose API this is. */
export const kubernetesVersion = 'v1.36.2';

/** The list of versions at `/api`. `serverAddress` is `HOST:PORT`. */
export function apiVersions(serverAddress: string): APIVersions {
  return {
    kind: 'APIVersions',
    versions: ['v1'],
    serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress }],
  } as APIVersions;
}

/** What groups and versions are told by. */
type Version = Pick<ResourceFacts, 'group' | 'version'>;

/** The groups at `/apis`; the core group is not among them. */
export function apiGroupList(served: readonly Version[]): APIGroupList {
  return {
    kind: 'APIGroupList',
    apiVersion: 'v1',
    groups: groupsOf(served).map((group) => groupEntry(group, served)),
  };
}

/** One group at `/apis/GROUP`, or undefined when nothing of it is served. */
export function apiGroup(group: string, served: readonly Version[]): APIGroup | undefined {
  if (group === '' || !served.some((entry) => entry.group === group)) return undefined;
  return { kind: 'APIGroup', apiVersion: 'v1', ...groupEntry(group, served) };
}

/** The resources at `/api/v1` or `/apis/GROUP/VERSION`, or undefined when nothing of it is served. */
export function apiResourceList(
  group: string,
  version: string,
  served: readonly ResourceFacts[],
): APIResourceList | undefined {
  const entries = served.filter((entry) => entry.group === group && entry.version === version);
  if (entries.length === 0) return undefined;
  const resources = entries.flatMap(resourceEntries).sort((left, right) => (left.name < right.name ? -1 : 1));
  return {
    kind: 'APIResourceList',
    apiVersion: 'v1',
    groupVersion: formatApiVersion(group, version),
    resources,
  };
}

/** Options of {@link aggregatedDiscovery}. */
export interface AggregatedOptions {
  /** `/api` (the core group alone) or `/apis` (all the others). */
  root: '/api' | '/apis';
  /** What the client asked for by `as=APIGroupDiscoveryList;v=…`. */
  version: 'v2' | 'v2beta1';
  /** Versions whose server does not answer now: what is known of them may be old, or nothing. */
  stale?: readonly { group: string; version: string }[];
  /** All that are told of, those that list no resource too. Default: those of the resources, and the stale ones. */
  versions?: readonly { group: string; version: string }[];
}

/** Everything in one document; its body is the same in both versions. */
export function aggregatedDiscovery(
  served: readonly ResourceFacts[],
  options: AggregatedOptions,
): JsonObject {
  const stale = options.stale ?? [];
  const known = options.versions ?? [...served, ...stale];
  const groups = options.root === '/api' ? [''] : groupsOf(known);
  const isStale = (group: string, version: string) =>
    stale.some((each) => each.group === group && each.version === version);
  return {
    kind: 'APIGroupDiscoveryList',
    apiVersion: `apidiscovery.k8s.io/${options.version}`,
    metadata: {},
    items: groups.map(
      (group): JsonObject => ({
        metadata: (group === '' ? {} : { name: group }) as JsonObject,
        versions: versionsOf(group, known).map((version) => ({
          version,
          freshness: isStale(group, version) ? 'Stale' : 'Current',
          resources: served
            .filter((entry) => entry.group === group && entry.version === version)
            .map(aggregatedResource),
        })),
      }),
    ),
  };
}

function groupsOf(served: readonly Version[]): string[] {
  return [...new Set(served.map((entry) => entry.group))].filter((group) => group !== '');
}

/** The versions of a group, the preferred one first. */
function versionsOf(group: string, served: readonly Version[]): string[] {
  const versions = new Set(served.filter((entry) => entry.group === group).map((entry) => entry.version));
  return [...versions].sort(byPreference);
}

/** The preferred version first: stable before beta, higher before lower, and names of other forms last, by their letters. */
export function byPreference(left: string, right: string): number {
  return rank(right) - rank(left) || (left < right ? -1 : Number(left > right));
}

function rank(version: string): number {
  const match = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(version);
  if (!match) return -1;
  const stability = match[2] === undefined ? 2 : match[2] === 'beta' ? 1 : 0;
  return stability * 1e6 + Number(match[1]) * 1000 + Number(match[3] ?? 0);
}

function groupEntry(group: string, served: readonly Version[]): APIGroup {
  const versions = versionsOf(group, served).map((version) => ({
    groupVersion: formatApiVersion(group, version),
    version,
  }));
  return { name: group, versions, preferredVersion: versions[0]! };
}

function resourceEntries(entry: ResourceFacts): APIResource[] {
  const { plural, singular, namespaced, kind, verbs, shortNames, categories, storageVersionHash } = entry;
  const own = { name: plural, singularName: singular, namespaced, kind, verbs: [...verbs] };
  const children = (entry.subresources ?? []).map((child) => ({
    name: `${plural}/${child.name}`,
    singularName: '',
    namespaced,
    ...(child.group !== entry.group || child.version !== entry.version
      ? { group: child.group, version: child.version }
      : {}),
    kind: child.kind,
    verbs: [...child.verbs],
  }));
  return [
    {
      ...own,
      ...(shortNames ? { shortNames } : {}),
      ...(categories ? { categories } : {}),
      ...(storageVersionHash ? { storageVersionHash } : {}),
    } as APIResource,
    ...(children as APIResource[]),
  ];
}

function aggregatedResource(entry: ResourceFacts): JsonObject {
  const { group, version, kind } = entry;
  return {
    resource: entry.plural,
    responseKind: kind === '' ? { group: '', version: '', kind } : { group, version, kind },
    scope: entry.namespaced ? 'Namespaced' : 'Cluster',
    singularResource: entry.singular,
    verbs: [...entry.verbs],
    ...(entry.shortNames ? { shortNames: entry.shortNames } : {}),
    ...(entry.categories ? { categories: entry.categories } : {}),
    ...(entry.subresources
      ? {
          subresources: entry.subresources.map((child) => ({
            subresource: child.name,
            responseKind: { group: child.group, version: child.version, kind: child.kind },
            verbs: [...child.verbs],
          })),
        }
      : {}),
  };
}
