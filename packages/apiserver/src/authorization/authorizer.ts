import { forbidden, type StatusError } from '@wherry/kubeapi';
import { groups, type UserInfo } from '../authentication/identity.ts';
import { objectNameOf, type RequestInfo } from '../http/request-info.ts';

/** What is to be allowed: a verb on a resource, or on a path. */
export interface Attributes {
  user: UserInfo;
  verb: string;
  isResource: boolean;
  path: string;
  group: string;
  resource: string;
  subresource: string;
  namespace: string;
  name: string;
  /** Of a list or watch: node authorization asks for it. */
  fieldSelector?: string | undefined;
}

/** `no-opinion` leaves it to the next authorizer; when all have none the answer is no. */
export interface Decision {
  outcome: 'allow' | 'deny' | 'no-opinion';
  reason: string;
}

/** One way of deciding. At once, from what is in memory: expressions of policies ask, too, and wait for nothing. */
export interface Authorizer {
  authorize(attributes: Attributes): Decision;
}

export const noOpinion: Decision = { outcome: 'no-opinion', reason: '' };

/** Asks authorizers in order; the first opinion counts. Members of system:masters may do everything. */
export class AuthorizerChain implements Authorizer {
  readonly #authorizers: readonly Authorizer[];

  constructor(authorizers: readonly Authorizer[]) {
    this.#authorizers = authorizers;
  }

  authorize(attributes: Attributes): Decision {
    if (attributes.user.groups.includes(groups.masters)) return { outcome: 'allow', reason: '' };
    const reasons: string[] = [];
    for (const authorizer of this.#authorizers) {
      const decision = authorizer.authorize(attributes);
      if (decision.outcome !== 'no-opinion') return decision;
      if (decision.reason) reasons.push(decision.reason);
    }
    return { outcome: 'no-opinion', reason: reasons.join('\n') };
  }
}

/** Allows everything; mode AlwaysAllow. */
export const alwaysAllow: Authorizer = { authorize: () => ({ outcome: 'allow', reason: '' }) };

/** The attributes of a request. */
export function attributesOf(user: UserInfo, info: RequestInfo, fieldSelector?: string): Attributes {
  const { verb, isResource, path, group, resource, subresource, namespace } = info;
  // Rules that name an object also hold for lists and watches of that object alone.
  const name = objectNameOf(info);
  return { user, verb, isResource, path, group, resource, subresource, namespace, name, fieldSelector };
}

/** The 403 for a refusal, with upstream's sentence. */
export function refusal(attributes: Attributes, reason: string): StatusError {
  const { group, resource, name } = attributes;
  const because = reason === '' ? '' : `: ${reason}`;
  const why = `${escapeMarkup(sentence(attributes))}${because}`;
  if (!attributes.isResource) return forbidden({ group: '', resource: '' }, '', why);
  return forbidden({ group, resource }, name, why);
}

/** Names come from the request, and somebody may show this text in a page. */
function escapeMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function fullResource({ resource, subresource }: Attributes): string {
  return subresource === '' ? resource : `${resource}/${subresource}`;
}

function sentence(attributes: Attributes): string {
  const { user, verb, group, namespace } = attributes;
  const who = `User ${JSON.stringify(user.name)} cannot ${verb}`;
  if (!attributes.isResource) return `${who} path ${JSON.stringify(attributes.path)}`;
  const what = `${who} resource ${JSON.stringify(fullResource(attributes))} in API group ${JSON.stringify(group)}`;
  return namespace === ''
    ? `${what} at the cluster scope`
    : `${what} in the namespace ${JSON.stringify(namespace)}`;
}
