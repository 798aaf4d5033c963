/** Prints the table of resources: what discovery says of each group version that the schema covers. */
import type { SourcePackage } from './sources.ts';

interface Subresource {
  subresource: string;
  responseKind?: { group: string; version: string; kind: string };
  verbs: string[];
}
interface Resource {
  resource: string;
  responseKind: { group: string; version: string; kind: string };
  scope: 'Namespaced' | 'Cluster';
  singularResource: string;
  shortNames?: string[];
  categories?: string[];
  verbs: string[];
  subresources?: Subresource[];
}
interface LegacyResource {
  name: string;
  singularName: string;
  namespaced: boolean;
  kind: string;
  group?: string;
  version?: string;
  shortNames?: string[];
  categories?: string[];
  verbs: string[];
}
interface Row {
  group: string;
  version: string;
  kind: string;
  plural: string;
  singular: string;
  namespaced: boolean;
  shortNames?: string[];
  categories?: string[];
  verbs: string[];
  subresources?: { name: string; group: string; version: string; kind: string; verbs: string[] }[];
}

/** `/api/v1` is only recorded in the old form, with sub-resources as `pods/log`. */
function coreRows(text: string): Row[] {
  const list: { resources: LegacyResource[] } = JSON.parse(text);
  return list.resources
    .filter((entry) => !entry.name.includes('/'))
    .map((entry) => {
      const children = list.resources.filter((child) => child.name.startsWith(`${entry.name}/`));
      return row({
        resource: entry.name,
        responseKind: { group: '', version: 'v1', kind: entry.kind },
        scope: entry.namespaced ? 'Namespaced' : 'Cluster',
        singularResource: entry.singularName,
        shortNames: entry.shortNames ?? [],
        categories: entry.categories ?? [],
        verbs: entry.verbs,
        subresources: children.map((child) => ({
          subresource: child.name.slice(entry.name.length + 1),
          responseKind: { group: child.group ?? '', version: child.version ?? 'v1', kind: child.kind },
          verbs: child.verbs,
        })),
      });
    });
}

function row(entry: Resource): Row {
  return {
    group: entry.responseKind.group,
    version: entry.responseKind.version,
    kind: entry.responseKind.kind,
    plural: entry.resource,
    singular: entry.singularResource,
    namespaced: entry.scope === 'Namespaced',
    ...(entry.shortNames?.length ? { shortNames: entry.shortNames } : {}),
    ...(entry.categories?.length ? { categories: entry.categories } : {}),
    verbs: entry.verbs,
    ...(entry.subresources?.length
      ? {
          subresources: entry.subresources.map(({ subresource, responseKind, verbs }) => ({
            name: subresource,
            group: responseKind?.group || entry.responseKind.group,
            version: responseKind?.version || entry.responseKind.version,
            kind: responseKind?.kind || entry.responseKind.kind,
            verbs,
          })),
        }
      : {}),
  };
}

function withHome(entry: Resource, group: string, version: string): Resource {
  return { ...entry, responseKind: { ...entry.responseKind, group, version } };
}

interface Aggregated {
  items: { metadata: { name?: string }; versions: { version: string; resources: Resource[] }[] }[];
}

/** What metrics-server tells of itself: upstream's own server does not answer for it. */
const metricsRows: Row[] = (['Node', 'Pod'] as const).map((measured) => ({
  group: 'metrics.k8s.io',
  version: 'v1beta1',
  kind: `${measured}Metrics`,
  plural: `${measured.toLowerCase()}s`,
  singular: '',
  namespaced: measured === 'Pod',
  verbs: ['get', 'list'],
}));

/** What stands above the table: the shape of its rows. */
const shape = `import type { GroupVersionKind } from './types.ts';

/** A verb as discovery and authorization spell it. */
export type Verb = 'create' | 'delete' | 'deletecollection' | 'get' | 'list' | 'patch' | 'update' | 'watch';

/** A sub-resource (\`pods/log\`); group, version and kind are those of its body. */
export interface SubresourceFacts extends GroupVersionKind {
  name: string;
  verbs: Verb[];
}

/** One resource as discovery lists it. */
export interface ResourceFacts extends GroupVersionKind {
  /** The path segment: \`pods\`. */
  plural: string;
  singular: string;
  namespaced: boolean;
  shortNames?: string[];
  /** \`all\` makes \`kubectl get all\` show it. */
  categories?: string[];
  verbs: Verb[];
  subresources?: SubresourceFacts[];
  /** Changes with the version that is stored; known of custom resources. */
  storageVersionHash?: string;
}
`;

/** The text of generated/resources.ts, in upstream's order of groups. */
export function writeResources(coreText: string, aggregatedText: string, packages: SourcePackage[]): string {
  const aggregated: Aggregated = JSON.parse(aggregatedText);
  const covered = (group: string, version: string) =>
    packages.some((source) => source.group === group && source.version === version);
  const rows = coreRows(coreText);
  for (const { metadata, versions } of aggregated.items) {
    for (const { version, resources } of versions) {
      const group = metadata.name ?? '';
      if (group !== '' && covered(group, version)) {
        // The recording leaves group and version out where they are those of the list.
        rows.push(...resources.map((entry) => row(withHome(entry, group, version))));
      }
    }
  }
  rows.push(...metricsRows);
  const lines = rows.map((entry) => `  ${JSON.stringify(entry)},`);
  return [
    shape,
    '/** Every resource of the covered group versions. */',
    'export const resourceTable: ResourceFacts[] = [',
    ...lines,
    '];',
    '',
  ].join('\n');
}
