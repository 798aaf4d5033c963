import type { DiscoveredResource, KubeClient } from '@wherry/client';
import { ownValue, parseApiVersion } from '@wherry/kubeapi';
import { CommandError } from '../../errors.ts';
import { clientFor, type KubeFlags } from '../../kube/flags.ts';
import { Catalog } from '../../objects/catalog.ts';
import { print } from '../../output/listing.ts';
import { explanationOf, kindText } from './explanation.ts';
import { readWish } from './field-wish.ts';
import type { GroupVersionKind, OpenApi, Schema } from './schema.ts';

/** Flags of `wherry explain TYPE`. */
export interface ExplainFieldsFlags extends KubeFlags {
  recursive?: boolean;
  apiVersion?: string;
  output?: string;
}

/** What is asked for: a type in one of its versions. */
type Served = Pick<DiscoveredResource, 'group' | 'version' | 'plural'>;

/** Prints what a type or a field of it is for, by the OpenAPI documents of its server. */
export async function explainFields(word: string, flags: ExplainFieldsFlags): Promise<void> {
  const { output = 'plaintext', recursive = false, apiVersion } = flags;
  if (output === 'plaintext-openapiv2')
    throw new CommandError(
      '--output=plaintext-openapiv2 is not there: wherry explains by /openapi/v3 alone, as --output=plaintext does',
    );
  if (output !== 'plaintext') throw new CommandError(`unrecognized format: ${output}`);
  const client = clientFor(flags);
  const { resource, path } = readWish(word, await Catalog.of(client), apiVersion !== undefined);
  const { plural } = resource;
  const served: Served = apiVersion === undefined ? resource : { plural, ...versionOf(apiVersion) };
  const document = await documentOf(client, served);
  const kind = kindOf(document, served);
  const head = kindText(kind);
  const explanation = explanationOf(schemaOf(document, kind), { document, path, recursive });
  if (explanation !== undefined) return print(head + explanation);
  print(head.slice(0, -1));
  throw new CommandError(`field "${path.at(-1)}" does not exist`);
}

function versionOf(text: string): { group: string; version: string } {
  const parsed = parseApiVersion(text);
  if (!parsed) throw new CommandError(`unexpected GroupVersion string: ${text}`);
  return parsed;
}

const textOf = ({ group, version, plural }: Served): string => `${group}/${version}, Resource=${plural}`;
const rootOf = ({ group, version }: Served): string =>
  group === '' ? `api/${version}` : `apis/${group}/${version}`;

async function documentOf(client: KubeClient, served: Served): Promise<OpenApi> {
  const { paths } = await client.request<{ paths?: Record<string, { serverRelativeURL: string }> }>({
    method: 'GET',
    path: '/openapi/v3',
  });
  const found = ownValue(paths ?? {}, rootOf(served));
  if (!found) throw new CommandError(`couldn't find resource for "${textOf(served)}"`);
  return client.request<OpenApi>({ method: 'GET', path: found.serverRelativeURL });
}

const methods = ['get', 'post', 'put', 'patch', 'delete'];

/** The kind that is read and written where the resource is served. */
function kindOf(document: OpenApi, served: Served): GroupVersionKind {
  const root = `/${rootOf(served)}`;
  const places = [`${root}/${served.plural}`, `${root}/namespaces/{namespace}/${served.plural}`];
  const kinds = places
    .flatMap((place) => [place, `${place}/{name}`])
    .flatMap((place) => {
      const operations = ownValue(document.paths ?? {}, place) ?? {};
      return methods.flatMap(
        (method) => ownValue(operations, method)?.['x-kubernetes-group-version-kind'] ?? [],
      );
    });
  const [kind] = kinds;
  if (!kind) throw new CommandError(`GVR (${textOf(served)}) not found in OpenAPI schema`);
  return kind;
}

/** The schema of a kind; of several the first by their names. */
function schemaOf(document: OpenApi, { group, version, kind }: GroupVersionKind): Schema {
  const [found] = Object.entries(document.components?.schemas ?? {})
    .filter(([, schema]) =>
      schema['x-kubernetes-group-version-kind']?.some(
        (one) => one.group === group && one.version === version && one.kind === kind,
      ),
    )
    .sort(([one], [other]) => (one < other ? -1 : 1));
  if (found) return found[1];
  throw new CommandError(
    `GVK map[group:${group} kind:${kind} version:${version}] not found in OpenAPI schema`,
  );
}
