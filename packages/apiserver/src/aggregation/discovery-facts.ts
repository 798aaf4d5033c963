/** What an extension server tells of itself, as this server tells it on. */
import { isJsonObject, type JsonObject, type JsonValue, ownValue, type ResourceFacts } from '@wherry/kubeapi';

type Facts = ResourceFacts;
type SubresourceFacts = NonNullable<Facts['subresources']>[number];

/** The resources of an APIResourceList; undefined when it is none of this version of the group. */
export function factsOf(document: JsonValue, group: string, version: string): Facts[] | undefined {
  if (!isJsonObject(document) || document['groupVersion'] !== `${group}/${version}`) return undefined;
  const entries = Array.isArray(document['resources']) ? document['resources'].filter(isJsonObject) : [];
  const children = entries.filter((entry) => textOf(entry, 'name').includes('/'));
  const listed = entries.filter((entry) => !textOf(entry, 'name').includes('/'));
  return [...listed, ...parentsOf(children, listed)].map((entry): Facts => {
    const plural = textOf(entry, 'name');
    const subresources = children
      .filter((child) => textOf(child, 'name').startsWith(`${plural}/`))
      .map((child) => childOf(child, { plural, group, version }));
    const own = {
      group,
      version,
      kind: textOf(entry, 'kind'),
      plural,
      singular: textOf(entry, 'singularName'),
    };
    return {
      ...own,
      namespaced: entry['namespaced'] === true,
      verbs: textsOf(entry, 'verbs') as Facts['verbs'],
      ...('shortNames' in entry ? { shortNames: textsOf(entry, 'shortNames') } : {}),
      ...('categories' in entry ? { categories: textsOf(entry, 'categories') } : {}),
      ...(subresources.length > 0 ? { subresources } : {}),
    };
  });
}

/** What sub-resources belong to without its being listed, as servers of metrics have it: it has no kind, and no verbs. */
function parentsOf(children: readonly JsonObject[], listed: readonly JsonObject[]): JsonObject[] {
  const missing = new Map<string, JsonObject>();
  for (const child of children) {
    const [name = ''] = textOf(child, 'name').split('/');
    if (listed.some((entry) => textOf(entry, 'name') === name) || missing.has(name)) continue;
    missing.set(name, { name, namespaced: child['namespaced'] === true });
  }
  return [...missing.values()];
}

/** Where its OpenAPI document of a version is, with the hash that names its content; undefined where it has none. */
export function openApiUrlOf(index: JsonValue, name: string): string | undefined {
  const paths = isJsonObject(index) ? index['paths'] : undefined;
  const entry = isJsonObject(paths) && Object.hasOwn(paths, name) ? paths[name] : undefined;
  const url = isJsonObject(entry) ? textOf(entry, 'serverRelativeURL') : '';
  const [path, hash, ...more] = url.split('?hash=');
  const isPlain = path === `/openapi/v3/${name}` && more.length === 0 && /^[0-9A-Za-z]*$/.test(hash ?? '');
  return isPlain ? url : undefined;
}

function childOf(
  entry: JsonObject,
  { plural, group, version }: { plural: string; group: string; version: string },
): SubresourceFacts {
  return {
    name: textOf(entry, 'name').slice(plural.length + 1),
    group: textOf(entry, 'group') || group,
    version: textOf(entry, 'version') || version,
    kind: textOf(entry, 'kind'),
    verbs: textsOf(entry, 'verbs') as SubresourceFacts['verbs'],
  };
}

function textOf(object: JsonObject, name: string): string {
  const value = ownValue(object, name);
  return typeof value === 'string' ? value : '';
}

function textsOf(object: JsonObject, name: string): string[] {
  const value = ownValue(object, name);
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}
