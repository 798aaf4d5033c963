import { type DiscoveredResource, discoverResources } from '@wherry/client';
import { CommandError } from '../../errors.ts';
import { clientFor, type KubeFlags } from '../../kube/flags.ts';
import { groupVersionOf, preferred } from '../../objects/catalog.ts';
import { print, printValue } from '../../output/listing.ts';
import { isValueFormat, type OutputFormat } from '../../output/output-format.ts';
import { formatTable } from '../../output/table.ts';

/** Flags of `wherry api-resources`: which, in which order, and how they are printed. */
export interface ApiResourcesFlags extends KubeFlags {
  apiGroup?: string;
  /** Undefined for either. */
  namespaced?: boolean;
  /** Those that know all of these. */
  verbs?: string[];
  /** Those that belong to all of these. */
  categories?: string[];
  sortBy?: string;
  /** False for `--no-headers`. */
  headers: boolean;
  output?: OutputFormat;
}

/** Prints the resource types that the server has, each in the version that it prefers. */
export async function apiResources(flags: ApiResourcesFlags): Promise<void> {
  const { sortBy = '', output, headers: hasHeader } = flags;
  if (!['', 'name', 'kind'].includes(sortBy)) throw new CommandError('--sort-by accepts only name or kind');
  const { resources, failed } = await discoverResources(clientFor(flags));
  const key = ({ plural, kind, group }: DiscoveredResource) =>
    sortBy === 'name' ? plural : sortBy === 'kind' ? kind : group;
  const items = preferred(resources)
    .filter((one) => isMeant(one, flags))
    .sort((one, other) => compare(key(one), key(other)) || compare(one.plural, other.plural));
  if (isValueFormat(output)) printValue(listOf(items), output);
  else if (output === 'name') print(items.map(nameOf).join('\n'));
  else {
    const isWide = output === 'wide';
    const header = ['NAME', 'SHORTNAMES', 'APIVERSION', 'NAMESPACED', 'KIND'];
    const titles = isWide ? [...header, 'VERBS', 'CATEGORIES'] : header;
    print(
      formatTable(
        titles,
        items.map((one) => rowOf(one, isWide)),
        { hasHeader },
      ),
    );
  }
  if (failed.length === 0) return;
  const causes = failed.map((version) => `${version}: stale GroupVersion discovery: ${version}`);
  throw new CommandError(`unable to retrieve the complete list of server APIs: ${causes.join(', ')}`);
}

function isMeant(one: DiscoveredResource, flags: ApiResourcesFlags): boolean {
  const { apiGroup, namespaced, verbs = [], categories = [] } = flags;
  return (
    one.verbs.length > 0 &&
    (apiGroup === undefined || one.group === apiGroup) &&
    (namespaced === undefined || one.namespaced === namespaced) &&
    verbs.every((verb) => one.verbs.includes(verb)) &&
    categories.every((category) => one.categories.includes(category))
  );
}

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

const nameOf = ({ plural, group }: DiscoveredResource) => `${plural}${group === '' ? '' : `.${group}`}`;

const rowOf = (one: DiscoveredResource, isWide: boolean): string[] => [
  ...[one.plural, one.shortNames.join(','), groupVersionOf(one), String(one.namespaced), one.kind],
  ...(isWide ? [one.verbs.join(','), one.categories.join(',')] : []),
];

/** As meta/v1 has a list of resources. */
function listOf(items: readonly DiscoveredResource[]): object {
  const resources = items.map(({ plural, singular, shortNames, categories, ...rest }) => {
    const { namespaced, group, version, kind, verbs } = rest;
    return {
      ...{ name: plural, singularName: singular, namespaced },
      ...(group === '' ? {} : { group }),
      ...{ version, kind, verbs },
      ...(shortNames.length > 0 ? { shortNames } : {}),
      ...(categories.length > 0 ? { categories } : {}),
    };
  });
  return { kind: 'APIResourceList', apiVersion: 'v1', groupVersion: '', resources };
}
