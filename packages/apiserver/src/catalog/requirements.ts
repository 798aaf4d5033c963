import { isDeepStrictEqual } from 'node:util';
import { ownValue, type ResourceFacts, type Verb } from '@wherry/kubeapi';
import { readRequestInfo } from '../http/request-info.ts';
import type { Handlers } from '../registry/handler.ts';

const storedVerbs: readonly Verb[] = [
  ...(['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'] as const),
];
const statusVerbs: readonly Verb[] = ['get', 'patch', 'update'];

/** A resource or one of its sub-resources, as discovery tells of it. */
interface Advertised {
  /** `group/version/plural[/subresource]`. */
  path: string;
  /** '' for the resource itself. */
  subresource: string;
  verbs: readonly Verb[];
}

function advertisedBy({ group, version, plural, verbs, subresources = [] }: ResourceFacts): Advertised[] {
  const path = `${group}/${version}/${plural}`;
  return [
    { path, subresource: '', verbs },
    ...subresources.map(({ name, verbs }) => ({ path: `${path}/${name}`, subresource: name, verbs })),
  ];
}

/**
 * Throws when discovery would tell of something that nothing answers: a resource without storage and handler, a
 * sub-resource without handler, a verb that it does not know. What a client finds there it calls.
 */
export function requireAnswers(facts: ResourceFacts, handlers: Handlers): void {
  const isStored = facts.verbs.includes('get');
  const missing = advertisedBy(facts).flatMap(({ path, subresource, verbs }) => {
    const plain = subresource === '' ? storedVerbs : subresource === 'status' ? statusVerbs : undefined;
    const answered = ownValue(handlers, subresource)?.verbs ?? (isStored ? plain : undefined);
    if (!answered) return [path];
    return verbs.filter((verb) => !answered.includes(verb)).map((verb) => `${verb} of ${path}`);
  });
  if (missing.length > 0)
    throw new Error(`the API server tells of what nothing answers: ${missing.join(', ')}`);
}

const methods: Readonly<Record<Verb, string>> = {
  create: 'POST',
  delete: 'DELETE',
  deletecollection: 'DELETE',
  get: 'GET',
  list: 'GET',
  patch: 'PATCH',
  update: 'PUT',
  watch: 'GET',
};
const collectionVerbs: ReadonlySet<Verb> = new Set(['create', 'deletecollection', 'list', 'watch']);

/**
 * Throws when a request for something advertised would not be authorized as that: its path and method are read as
 * those of another resource, sub-resource, namespace, name or verb.
 */
export function requireAttributes(facts: ResourceFacts): void {
  const astray = advertisedBy(facts).flatMap(({ path, subresource, verbs }) =>
    verbs.filter((verb) => !isReadAs(facts, subresource, verb)).map((verb) => `${verb} of ${path}`),
  );
  if (astray.length > 0) {
    throw new Error(`routes without authorization attributes of their own: ${astray.join(', ')}`);
  }
}

function isReadAs(facts: ResourceFacts, subresource: string, verb: Verb): boolean {
  const { group, version, plural, namespaced } = facts;
  const name = subresource === '' && collectionVerbs.has(verb) ? '' : 'some-name';
  const namespace = namespaced ? 'some-namespace' : '';
  const path = [
    ...(group === '' ? ['/api'] : ['/apis', group]),
    ...[version, ...(namespaced ? ['namespaces', namespace] : []), plural],
    ...[name, subresource].filter((segment) => segment !== ''),
  ].join('/');
  const query = new URLSearchParams(verb === 'watch' ? { watch: 'true' } : {});
  const read = readRequestInfo(methods[verb], path, query);
  // A namespace counts as being in itself.
  const place = plural === 'namespaces' && group === '' ? name : namespace;
  const expected = { isResource: true, verb, group, version, resource: plural, subresource, name, tail: '' };
  return isDeepStrictEqual(read, { ...read, ...expected, namespace: place });
}
