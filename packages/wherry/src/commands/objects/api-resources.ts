import type { DiscoveredResource } from '@wherry/client';
import { clientFor, type KubeFlags } from '../../kube/flags.ts';
import { Catalog, groupVersionOf } from '../../objects/catalog.ts';
import { type Column, printListing } from '../../output/listing.ts';
import type { OutputFormat } from '../../output/output-format.ts';

/** Flags of `wherry api-resources`. */
export interface ApiResourcesFlags extends KubeFlags {
  output?: OutputFormat;
}

/** Prints the resource types that the server has. */
export async function apiResources(flags: ApiResourcesFlags): Promise<void> {
  const { resources } = await Catalog.of(clientFor(flags));
  const nameOf = ({ plural, group }: DiscoveredResource) => `${plural}${group === '' ? '' : `.${group}`}`;
  printListing({ items: resources, columns, nameOf }, flags.output);
}

const columns: Column<DiscoveredResource>[] = [
  { title: 'NAME', cell: ({ plural }) => plural },
  { title: 'SHORTNAMES', cell: ({ shortNames }) => shortNames.join(',') },
  { title: 'APIVERSION', cell: groupVersionOf },
  { title: 'NAMESPACED', cell: ({ namespaced }) => String(namespaced) },
  { title: 'KIND', cell: ({ kind }) => kind },
  { title: 'VERBS', wide: true, cell: ({ verbs }) => verbs.join(',') },
  { title: 'CATEGORIES', wide: true, cell: ({ categories }) => categories.join(',') },
];
