/** OpenAPI path items: which operations each resource has, with the parameters that kubectl looks for. */

import type { CustomComponents } from '../custom/components.ts';
import { type JsonObject, type JsonValue, setOwn } from '../json/json-value.ts';
import type { ResourceFacts, SubresourceFacts, Verb } from '../schema/resources.ts';
import { messageSchema, schemaOfKind } from '../schema/schema.ts';

const patchTypes = ['json-patch+json', 'merge-patch+json', 'strategic-merge-patch+json', 'apply-patch+yaml'];

/** Without merge keys there is no strategic patch. */
const customPatchTypes = patchTypes.filter((type) => !type.startsWith('strategic'));

const query = (name: string, type: 'string' | 'boolean' | 'integer', description: string): JsonObject => ({
  name,
  in: 'query',
  description,
  schema: { type, uniqueItems: true },
});

const writeParameters: JsonObject[] = [
  query('dryRun', 'string', 'All: go through every step, store nothing.'),
  query('fieldManager', 'string', 'Who makes the change; required for apply patches.'),
  query('fieldValidation', 'string', 'Ignore, Warn or Strict: what unknown and doubled fields lead to.'),
];
const forceParameter = query('force', 'boolean', 'Take over fields of other managers (apply patches only).');
const listParameters: JsonObject[] = [
  query('continue', 'string', 'Where an earlier answer with a limit left off.'),
  query('fieldSelector', 'string', 'Only objects whose fields match.'),
  query('labelSelector', 'string', 'Only objects whose labels match.'),
  query('limit', 'integer', 'At most so many objects per answer.'),
  query('resourceVersion', 'string', 'The state to read, or to watch from.'),
  query('watch', 'boolean', 'Stream changes instead of a list.'),
];

const pathParameter = (name: string): JsonObject => ({
  name,
  in: 'path',
  required: true,
  schema: { type: 'string', uniqueItems: true },
});

/** None when the path names nothing: Go's own documents keep no empty list. */
function pathParameters(path: string): JsonObject {
  const names = path.match(/\{(\w+)\}/g);
  return names ? { parameters: names.map((name) => pathParameter(name.slice(1, -1))) } : {};
}

const actions: Record<Verb, { method: string; action: string }> = {
  create: { method: 'post', action: 'post' },
  delete: { method: 'delete', action: 'delete' },
  deletecollection: { method: 'delete', action: 'deletecollection' },
  get: { method: 'get', action: 'get' },
  list: { method: 'get', action: 'list' },
  patch: { method: 'patch', action: 'patch' },
  update: { method: 'put', action: 'put' },
  watch: { method: 'get', action: 'watch' },
};

/** Path → path item for one resource and its sub-resources. */
export function resourcePaths(entry: ResourceFacts, custom?: CustomComponents): JsonObject {
  const root = entry.group === '' ? `/api/${entry.version}` : `/apis/${entry.group}/${entry.version}`;
  const place = entry.namespaced ? '/namespaces/{namespace}' : '';
  const collection = `${root}${place}/${entry.plural}`;
  const paths: JsonObject = {};
  const isCustom = (body: Body) => custom !== undefined && body.kind === entry.kind;
  const componentsOf = (body: Body): BodyComponents =>
    isCustom(body)
      ? { object: custom?.object, list: custom?.list, patchTypes: customPatchTypes }
      : { object: builtInName(body), list: builtInName(body, 'List'), patchTypes };
  const verbsOf = (wanted: Verb[]) => wanted.filter((verb) => entry.verbs.includes(verb));
  const add = (path: string, body: Body, verbs: Verb[]) =>
    addPath(paths, path, { body, verbs, components: componentsOf(body) });
  add(collection, entry, verbsOf(['list', 'create', 'deletecollection']));
  add(`${collection}/{name}`, entry, verbsOf(['get', 'update', 'patch', 'delete']));
  for (const child of entry.subresources ?? []) add(`${collection}/{name}/${child.name}`, child, child.verbs);
  if (entry.namespaced) add(`${root}/${entry.plural}`, entry, verbsOf(['list']));
  if (!custom && entry.verbs.includes('watch')) Object.assign(paths, watchPaths(entry, { root, place }));
  return paths;
}

/** The paths that watched before lists took `watch`; custom resources are told of without them, as by upstream. */
function watchPaths(entry: ResourceFacts, { root, place }: { root: string; place: string }): JsonObject {
  const { group, version, kind, plural } = entry;
  const schema = messageSchema('WatchEvent').openApiName;
  const item = (path: string, action: 'watch' | 'watchlist'): [string, JsonObject] => [
    path,
    {
      ...pathParameters(path),
      get: {
        parameters: listParameters,
        description: 'Deprecated: list with `watch` instead.',
        responses: {
          '200': { description: 'OK', ...(schema ? { content: { 'application/json': refTo(schema) } } : {}) },
        },
        'x-kubernetes-action': action,
        'x-kubernetes-group-version-kind': { group, version, kind },
      },
    },
  ];
  const collection = `${root}/watch${place}/${plural}`;
  return Object.fromEntries([
    item(collection, 'watchlist'),
    item(`${collection}/{name}`, 'watch'),
    ...(entry.namespaced ? [item(`${root}/watch/${plural}`, 'watchlist')] : []),
  ]);
}

type Body = ResourceFacts | SubresourceFacts;

/** Names of the components of a body and of a list of them, and how it may be patched. */
interface BodyComponents {
  object: string | undefined;
  list: string | undefined;
  patchTypes: readonly string[];
}

function builtInName({ group, version, kind }: Body, suffix = ''): string | undefined {
  return schemaOfKind({ group, version, kind: `${kind}${suffix}` })?.openApiName;
}

interface PathParts {
  body: Body;
  verbs: Verb[];
  components: BodyComponents;
}

function addPath(paths: JsonObject, path: string, { body, verbs, components }: PathParts): void {
  if (verbs.length === 0) return;
  const item: JsonObject = pathParameters(path);
  for (const verb of verbs) setOwn(item, actions[verb].method, operation(verb, body, components));
  setOwn(paths, path, item);
}

function operation(verb: Verb, body: Body, components: BodyComponents): JsonObject {
  const { group, version, kind } = body;
  const schema = verb === 'list' ? components.list : components.object;
  return {
    ...parametersOf(verb),
    ...requestOf(verb, components),
    responses: {
      '200': { description: 'OK', ...(schema ? { content: { 'application/json': refTo(schema) } } : {}) },
    },
    'x-kubernetes-action': actions[verb].action,
    'x-kubernetes-group-version-kind': { group, version, kind },
  };
}

function parametersOf(verb: Verb): JsonObject {
  if (verb === 'list' || verb === 'deletecollection') return { parameters: listParameters };
  if (verb === 'patch') return { parameters: [...writeParameters, forceParameter] };
  return verb === 'create' || verb === 'update' ? { parameters: writeParameters } : {};
}

function requestOf(verb: Verb, { object, patchTypes }: BodyComponents): JsonObject {
  if (verb === 'patch') {
    const content = patchTypes.map((type): [string, JsonValue] => [
      `application/${type}`,
      { schema: { type: 'object' } },
    ]);
    return { requestBody: { required: true, content: Object.fromEntries(content) } };
  }
  if ((verb !== 'create' && verb !== 'update') || !object) return {};
  return { requestBody: { required: true, content: { '*/*': refTo(object) } } };
}

const refTo = (name: string): JsonObject => ({
  schema: { $ref: `#/components/schemas/${name}` },
});
