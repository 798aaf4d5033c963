import {
  findResource,
  formatApiVersion,
  pathNotFound,
  type ResourceFacts,
  StatusError,
} from '@wherry/kubeapi';
import type { RequestInfo } from '../http/request-info.ts';
import type { ServedResource } from '../objects/strategy.ts';

/** Sub-resources that stand for whatever path follows them. */
const withTail: ReadonlySet<string> = new Set(['proxy']);

/**
 * Throws 404 where no such path exists: a resource of the cluster inside of a namespace, an object of a namespace
 * outside of one, a sub-resource of nothing. Asked before authorization, which would take the path's namespace for
 * the object's.
 */
export function checkPlace(info: RequestInfo, { namespaced }: Pick<ResourceFacts, 'namespaced'>): void {
  const { isInNamespace, name, subresource, tail, verb } = info;
  const isInPlace = isInNamespace ? namespaced : !namespaced || name === '';
  const isWhole =
    subresource === '' ? tail === '' : name !== '' && (tail === '' || withTail.has(subresource));
  if (!isInPlace || !isWhole || (verb === 'watch' && subresource !== '')) throw pathNotFound();
}

const collectionVerbs: ReadonlySet<string> = new Set(['list', 'watch', 'create', 'deletecollection']);
/** Of the objects of all namespaces at once. */
const everywhereVerbs: ReadonlySet<string> = new Set(['list', 'watch']);
const objectVerbs: ReadonlySet<string> = new Set(['get', 'watch', 'update', 'patch', 'delete']);

/** Throws 404 for unknown sub-resources, 405 for methods that a path does not have (upstream: endpoints/installer.go). */
export function checkVerb(
  info: RequestInfo,
  resource: Pick<ServedResource, 'facts' | 'type'>,
  method = 'GET',
): void {
  const { subresource, verb } = info;
  const { facts } = resource;
  const known: readonly string[] | undefined =
    subresource === '' ? facts.verbs : facts.subresources?.find(({ name }) => name === subresource)?.verbs;
  if (!known) throw pathNotFound();
  // A proxy leads every method on; discovery tells only of those that roles have words for.
  if (withTail.has(subresource) && method === 'OPTIONS') return;
  const isHere = subresource !== '' || verbsOfPlace(info, facts).has(verb);
  // Upstream has routes by method for built-in resources, and by verb for custom ones.
  const isHeadless = method === 'HEAD' && resource.type.schema !== undefined && !withTail.has(subresource);
  const isOther = verb === 'watch' && method !== 'GET';
  if (!isHere || isOther || isHeadless || !known.includes(verb)) throw methodNotAllowed();
}

function verbsOfPlace(
  { name, isInNamespace }: RequestInfo,
  { namespaced }: ResourceFacts,
): ReadonlySet<string> {
  if (name !== '') return objectVerbs;
  return namespaced && !isInNamespace ? everywhereVerbs : collectionVerbs;
}

/** The 405 of a path that has other methods. */
export function methodNotAllowed(): StatusError {
  const message = 'the server does not allow this method on the requested resource';
  return new StatusError({ code: 405, reason: 'MethodNotAllowed', message });
}

/** The 404 for a resource that is not served; it says so where the flag switched it off. */
export function notServed({ group, version, resource }: RequestInfo): StatusError {
  const facts = findResource(group, version, resource);
  if (!facts) return pathNotFound();
  const groupVersion = formatApiVersion(group, version);
  const what = `wherry does not serve ${resource} of ${groupVersion}`;
  return pathNotFound(`${what}, since the API server's flag --runtime-config switches it off`);
}
