import {
  findResourceOfKind,
  type JsonValue,
  matcherFrom,
  type ParamKind,
  type ParamRef,
  parseApiVersion,
} from '@wherry/kubeapi';
import { as } from '../../objects/api-object.ts';
import type { ServedResource } from '../../objects/strategy.ts';
import type { ParamCaches } from '../param-caches.ts';

/** A binding can not be applied as it is. */
export class ConfigurationError extends Error {}

/** Where parameters are looked up. */
export interface ParamSources {
  params: ParamCaches;
  served(): Iterable<ServedResource>;
}

/**
 * The parameters of a binding: a policy is asked once for each of them, and once with null where it takes none. Throws
 * ConfigurationError where they can't be found.
 */
export async function paramsOf(
  kind: ParamKind | undefined,
  ref: ParamRef | undefined,
  namespace: string,
  sources: ParamSources,
): Promise<readonly (JsonValue | undefined)[]> {
  if (!kind) return [undefined];
  if (!ref) return [null];
  const resource = resourceOf(kind, sources);
  const { namespaced } = resource.facts;
  if (!namespaced && ref.namespace)
    throw new ConfigurationError('paramRef.namespace must not be provided for a cluster-scoped `paramKind`');
  const place = namespaced ? ref.namespace || namespace : '';
  if (namespaced && place === '')
    throw new ConfigurationError(
      'cannot use namespaced paramRef in policy binding that matches cluster-scoped resources',
    );
  const selector = ref.selector ? matcherFrom(ref.selector) : undefined;
  const all = await sources.params.find(resource, place, ref.name || undefined);
  const found = all.filter(({ metadata }) => selector?.matches(metadata.labels) ?? true);
  if (found.length === 0 && ref.parameterNotFoundAction === 'Deny')
    throw new ConfigurationError('no params found for policy binding with `Deny` parameterNotFoundAction');
  return found.map((object) =>
    as<JsonValue>({ ...object, kind: kind.kind ?? '', apiVersion: kind.apiVersion ?? '' }),
  );
}

function resourceOf(kind: ParamKind, sources: ParamSources): ServedResource {
  const resource = findParamResource(kind, sources);
  if (resource) return resource;
  throw new ConfigurationError(
    `failed to find resource referenced by paramKind: '${kind.apiVersion ?? ''}, Kind=${kind.kind ?? ''}'`,
  );
}

/** What holds parameters of a kind; undefined when it is not served. */
export function findParamResource(
  { apiVersion = '', kind = '' }: ParamKind,
  { served }: Pick<ParamSources, 'served'>,
): ServedResource | undefined {
  const place = parseApiVersion(apiVersion);
  const builtIn = place && findResourceOfKind({ ...place, kind });
  for (const resource of served()) {
    const { facts } = resource;
    if (
      facts === builtIn ||
      (facts.kind === kind && facts.group === place?.group && facts.version === place.version)
    )
      return resource;
  }
  return undefined;
}
