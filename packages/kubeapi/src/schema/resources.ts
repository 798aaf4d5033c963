/** The table of resources: which kind is served where, under which names and verbs. */
import { type ResourceFacts, resourceTable } from '../generated/resources.ts';
import type { GroupVersionKind } from '../generated/types.ts';

export type { ResourceFacts, SubresourceFacts, Verb } from '../generated/resources.ts';

const byPath = new Map(
  resourceTable.map((entry) => [`${entry.group}/${entry.version}/${entry.plural}`, entry]),
);
const byKind = new Map(
  resourceTable.map((entry) => [`${entry.group}/${entry.version}/${entry.kind}`, entry]),
);

/** Every resource that the schema covers, in upstream's order of groups. */
export const resources: readonly ResourceFacts[] = resourceTable;

/** The resource at `/apis/GROUP/VERSION/PLURAL`, or undefined. */
export function findResource(group: string, version: string, plural: string): ResourceFacts | undefined {
  return byPath.get(`${group}/${version}/${plural}`);
}

/** The resource that serves a kind, or undefined (options, reviews of other groups, lists). */
export function findResourceOfKind({ group, version, kind }: GroupVersionKind): ResourceFacts | undefined {
  return byKind.get(`${group}/${version}/${kind}`);
}

/** `apps`, `v1` → `apps/v1`; the core group's is `v1` alone. */
export function formatApiVersion(group: string, version: string): string {
  return group === '' ? version : `${group}/${version}`;
}

/** `apps/v1` → group and version; `v1` is of the core group. Undefined when there is more than one slash. */
export function parseApiVersion(apiVersion: string): { group: string; version: string } | undefined {
  const [first = '', second, ...rest] = apiVersion.split('/');
  if (rest.length > 0) return undefined;
  return second === undefined ? { group: '', version: first } : { group: first, version: second };
}

/** `pods`, or `deployments.apps` outside the core group: how messages name a resource. */
export function qualifiedResource(group: string, plural: string): string {
  return group === '' ? plural : `${plural}.${group}`;
}
