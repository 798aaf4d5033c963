import type { APIGroupList, APIResourceList, APIVersions } from '@wherry/kubeapi/objects';
import { formatApiVersion, parseApiVersion } from '@wherry/kubeapi/objects';
import type { ResourceType } from '../objects/objects.ts';
import type { ResourceSender } from './resource-client.ts';

/** What discovery asks with: any client. */
export type DiscoverySender = Pick<ResourceSender, 'request'>;

/** A resource that the server says it serves. */
export interface DiscoveredResource extends ResourceType {
  verbs: readonly string[];
  /** `pod`; empty where the server does not say. */
  singular: string;
  /** `po`. */
  shortNames: readonly string[];
  /** Names for several resources at once, such as `all`. */
  categories: readonly string[];
}

/** What a server serves. */
export interface Discovery {
  /** Every resource in every version; of one group the versions come in the server's order of preference. */
  resources: readonly DiscoveredResource[];
  /** Group versions that the server names, those without resources too, by their groups. A stale one is among `failed` alone. */
  groupVersions: readonly string[];
  /** Group versions (`apps/v1`) that the server could not tell about: of those nothing may be concluded. */
  failed: readonly string[];
}

/** As apidiscovery.k8s.io has it; v2 and v2beta1 are alike in what is read here. */
interface AggregatedGroups {
  kind?: string;
  items?: {
    metadata?: { name?: string };
    versions?: {
      version: string;
      /** `Stale`: an aggregated server behind this one did not answer. */
      freshness?: string;
      resources?: AggregatedResource[];
    }[];
  }[];
}

interface AggregatedResource {
  resource: string;
  responseKind?: { kind?: string };
  scope?: string;
  verbs?: string[];
  singularResource?: string;
  shortNames?: string[];
  categories?: string[];
}

const aggregated = ['v2', 'v2beta1'].map(
  (version) => `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`,
);
const accept = [...aggregated, 'application/json'].join(',');

/**
 * Asks what the server serves: two requests, or one per group version of servers before 1.26. Throws `StatusError`,
 * `ClientError` or `signal.reason` when the server can't be asked at all.
 */
export async function discoverResources(client: DiscoverySender, signal?: AbortSignal): Promise<Discovery> {
  const roots = await Promise.all(
    (['/api', '/apis'] as const).map(async (path) => {
      const answer = await client.request<AggregatedGroups>({
        method: 'GET',
        path,
        headers: { accept },
        signal,
      });
      return answer.kind === 'APIGroupDiscoveryList'
        ? readAggregated(answer)
        : readOneByOne(client, path, answer, signal);
    }),
  );
  return {
    resources: roots.flatMap(({ resources }) => resources),
    groupVersions: roots.flatMap(({ groupVersions }) => groupVersions),
    failed: roots.flatMap(({ failed }) => failed),
  };
}

function readAggregated({ items = [] }: AggregatedGroups): Discovery {
  const resources: DiscoveredResource[] = [];
  const groupVersions: string[] = [];
  const failed: string[] = [];
  for (const { metadata, versions = [] } of items) {
    const group = metadata?.name ?? '';
    for (const { version, freshness, resources: entries = [] } of versions) {
      (freshness === 'Stale' ? failed : groupVersions).push(formatApiVersion(group, version));
      for (const entry of entries) {
        const { resource, responseKind, scope, verbs = [], singularResource = '' } = entry;
        const kind = responseKind?.kind;
        if (!kind) continue;
        const { shortNames = [], categories = [] } = entry;
        const names = { plural: resource, singular: singularResource, shortNames, categories, kind };
        resources.push({ group, version, ...names, namespaced: scope === 'Namespaced', verbs });
      }
    }
  }
  return { resources, groupVersions, failed };
}

async function readOneByOne(
  client: DiscoverySender,
  root: '/api' | '/apis',
  answer: unknown,
  signal: AbortSignal | undefined,
): Promise<Discovery> {
  const groupVersions =
    (root === '/api' ? (answer as APIVersions).versions : versionsOf(answer as APIGroupList)) ?? [];
  const resources: DiscoveredResource[] = [];
  const failed: string[] = [];
  await Promise.all(
    groupVersions.map(async (groupVersion) => {
      try {
        const path = `${root}/${groupVersion}`;
        const list = await client.request<APIResourceList>({ method: 'GET', path, signal });
        resources.push(...readList(groupVersion, list));
      } catch (error) {
        if (signal?.aborted) throw error;
        failed.push(groupVersion);
      }
    }),
  );
  const rank = ({ group, version }: DiscoveredResource) =>
    groupVersions.indexOf(formatApiVersion(group, version));
  return { resources: resources.sort((left, right) => rank(left) - rank(right)), groupVersions, failed };
}

function versionsOf({ groups }: APIGroupList): string[] {
  return groups.flatMap(({ preferredVersion, versions }) => {
    const all = versions.map(({ groupVersion }) => groupVersion);
    const first = preferredVersion?.groupVersion;
    return first ? [first, ...all.filter((each) => each !== first)] : all;
  });
}

function readList(groupVersion: string, { resources }: APIResourceList): DiscoveredResource[] {
  const parsed = parseApiVersion(groupVersion);
  if (!parsed) return [];
  return resources
    .filter(({ name }) => !name.includes('/'))
    .map(({ name, singularName, shortNames = [], categories = [], kind, namespaced, verbs }) => ({
      ...parsed,
      plural: name,
      singular: singularName,
      shortNames,
      categories,
      kind,
      namespaced,
      verbs,
    }));
}
