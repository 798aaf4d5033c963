/** OpenAPI path items: which operations each resource has, with the parameters that kubectl looks for. */
import { type JsonObject, type JsonValue, setOwn } from '../json-value.ts';
import type { ResourceFacts, SubresourceFacts, Verb } from '../resources.ts';
import { type MessageSchema, schemaOfKind } from '../schema.ts';

const patchTypes = ['json-patch+json', 'merge-patch+json', 'strategic-merge-patch+json', 'apply-patch+yaml'];

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
export function resourcePaths(entry: ResourceFacts): JsonObject {
  const root = entry.group === '' ? `/api/${entry.version}` : `/apis/${entry.group}/${entry.version}`;
  const place = entry.namespaced ? '/namespaces/{namespace}' : '';
  const collection = `${root}${place}/${entry.plural}`;
  const paths: JsonObject = {};
  const verbsOf = (wanted: Verb[]) => wanted.filter((verb) => entry.verbs.includes(verb));
  addPath(paths, collection, entry, verbsOf(['list', 'create', 'deletecollection']));
  addPath(paths, `${collection}/{name}`, entry, verbsOf(['get', 'update', 'patch', 'delete']));
  for (const child of entry.subresources ?? [])
    addPath(paths, `${collection}/{name}/${child.name}`, child, child.verbs);
  if (entry.namespaced) addPath(paths, `${root}/${entry.plural}`, entry, verbsOf(['list']));
  return paths;
}

function addPath(
  paths: JsonObject,
  path: string,
  body: ResourceFacts | SubresourceFacts,
  verbs: Verb[],
): void {
  if (verbs.length === 0) return;
  const item: JsonObject = {
    parameters: (path.match(/\{(\w+)\}/g) ?? []).map((name) => pathParameter(name.slice(1, -1))),
  };
  for (const verb of verbs) setOwn(item, actions[verb].method, operation(verb, body));
  setOwn(paths, path, item);
}

function operation(verb: Verb, body: ResourceFacts | SubresourceFacts): JsonObject {
  const { group, version, kind } = body;
  const schema = schemaOfKind({ group, version, kind: verb === 'list' ? `${kind}List` : kind });
  return {
    ...parametersOf(verb),
    ...requestOf(verb, schema),
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

function requestOf(verb: Verb, schema: MessageSchema | undefined): JsonObject {
  if (verb === 'patch') {
    const content = patchTypes.map((type): [string, JsonValue] => [
      `application/${type}`,
      { schema: { type: 'object' } },
    ]);
    return { requestBody: { required: true, content: Object.fromEntries(content) } };
  }
  if ((verb !== 'create' && verb !== 'update') || !schema) return {};
  return { requestBody: { required: true, content: { '*/*': refTo(schema) } } };
}

const refTo = (schema: MessageSchema): JsonObject => ({
  schema: { $ref: `#/components/schemas/${schema.openApiName}` },
});
