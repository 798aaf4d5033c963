import {
  formatApiVersion,
  type JsonObject,
  type Namespace,
  notFound,
  type ObjectType,
} from '@wherry/kubeapi';
import { type ApiObject, as, copyOf } from '../../objects/api-object.ts';
import type { ObjectCache } from '../../objects/object-cache.ts';
import type { ServedResource } from '../../objects/strategy.ts';
import { withMetadata } from '../../requests/request-object.ts';
import type { AdmissionRequest } from '../admission.ts';
import type { Hook } from './hook.ts';
import { ruleMatches } from './rule-match.ts';

/** A webhook that is to be called, and the resource that it knows the request under. */
export interface Invocation {
  hook: Hook;
  /** Undefined = the request's own. */
  equivalent: ServedResource | undefined;
}

/** Where matching looks things up. */
export interface MatchSources {
  namespaces: ObjectCache<Namespace>;
  /** All that is served now. */
  served(): Iterable<ServedResource>;
}

/** Whether a webhook is asked about a request. Throws 404 when a selector asks about a namespace that is not there. */
export function invocationOf(
  hook: Hook,
  request: AdmissionRequest,
  sources: MatchSources,
): Invocation | undefined {
  const { resource, object, previous } = request;
  const { rules = [], matchPolicy } = hook.webhook;
  const isMatch = rules.some((rule) => ruleMatches(rule, request, resource));
  if (!isMatch && matchPolicy === 'Exact') return undefined;
  const isSelected =
    hook.objects.isEmpty ||
    [shown(request, object), previous].some((each) => each && hook.objects.matches(each.metadata?.labels));
  if (!isSelected) return undefined;
  const equivalent = isMatch ? undefined : firstEquivalent(hook, request, sources);
  if (!isMatch && !equivalent) return undefined;
  return isInNamespace(hook, request, sources) ? { hook, equivalent } : undefined;
}

/** What webhooks see of the object that is written. */
export function shown({ view }: AdmissionRequest, object: ApiObject | undefined): ApiObject | undefined {
  return object && view ? view.of(object) : object;
}

/** The rule that comes first decides under which other version or group the webhook gets to see the object. */
function firstEquivalent(
  { webhook }: Hook,
  request: AdmissionRequest,
  sources: MatchSources,
): ServedResource | undefined {
  const own = servedAs(request, sources);
  if (!own) return undefined;
  const others = [...sources.served()].filter(
    (each) => each.keyPrefix === own.keyPrefix && each.facts !== own.facts,
  );
  for (const rule of webhook.rules ?? []) {
    const found = others.find(({ facts }) => ruleMatches(rule, request, facts));
    if (found) return found;
  }
  return undefined;
}

function servedAs({ resource }: AdmissionRequest, { served }: MatchSources): ServedResource | undefined {
  for (const each of served()) if (each.facts === resource) return each;
  return undefined;
}

/** What is in no namespace is never left out; a namespace that is written counts as it will be. */
function isInNamespace(hook: Hook, request: AdmissionRequest, { namespaces }: MatchSources): boolean {
  const { resource, operation, subresource, namespace, object } = request;
  const isNamespace = resource.group === '' && resource.plural === 'namespaces';
  if (hook.namespaces.isEmpty || (namespace === '' && !isNamespace)) return true;
  if (isNamespace && subresource === '' && (operation === 'CREATE' || operation === 'UPDATE'))
    return hook.namespaces.matches(object?.metadata.labels);
  const found = namespaces.get(namespace);
  if (!found) throw notFound({ group: '', resource: 'namespaces' }, namespace);
  return hook.namespaces.matches(found.metadata.labels);
}

/** The same object as two versions show it. Both ways go through the stored form, but where another server converts. */
export async function converted(
  object: ApiObject,
  from: ServedResource,
  to: ServedResource,
): Promise<ApiObject> {
  const { group, version, kind } = to.facts;
  const place = { apiVersion: formatApiVersion(group, version), kind };
  const remote = from.conversion?.remote;
  if (remote) {
    const own = { apiVersion: formatApiVersion(from.facts.group, from.facts.version), kind };
    const [other] = await remote.convert([{ ...copyOf(object), ...own }], place.apiVersion);
    return { ...withMetadata(to.type.read(as<JsonObject>(other!)).object), ...place };
  }
  const stored = from.conversion?.toStored(copyOf(object)) ?? copyOf(object);
  const other = to.conversion?.fromStored(stored) ?? stored;
  return { ...other, ...place };
}

/** The schema and form under which a webhook gets to see objects, and the way there and back. */
export interface Form {
  type: ObjectType | undefined;
  there(object: ApiObject): ApiObject | Promise<ApiObject>;
  back(object: ApiObject): ApiObject | Promise<ApiObject>;
}

/** Of the request's own resource, or of an equivalent one. */
export function formFor({ equivalent }: Invocation, request: AdmissionRequest, sources: MatchSources): Form {
  const own = equivalent && !request.view ? servedAs(request, sources) : undefined;
  if (!own || !equivalent)
    return { type: request.view?.type ?? request.type, there: (object) => object, back: (object) => object };
  return {
    type: equivalent.type,
    there: (object) => converted(object, own, equivalent),
    back: (object) => converted(object, equivalent, own),
  };
}
