import { aggregateText, forbidden, internalError, type StatusError } from '@wherry/kubeapi';
import { groups, type UserInfo } from '../authentication/identity.ts';
import { objectNameOf, type RequestInfo } from '../http/request-info.ts';

/** What is to be allowed: a verb on a resource, or on a path. */
export interface Attributes {
  user: UserInfo;
  verb: string;
  isResource: boolean;
  path: string;
  group: string;
  /** Default: whichever. */
  version?: string | undefined;
  resource: string;
  subresource: string;
  namespace: string;
  name: string;
  /** Of a list, a watch or a deletion of many: what narrows it. */
  fieldSelector?: string | undefined;
  labelSelector?: string | undefined;
}

/** `no-opinion` leaves it to the next authorizer; when all have none the answer is no. */
export interface Decision {
  outcome: 'allow' | 'deny' | 'no-opinion';
  reason: string;
  /** Somebody could not be asked. Who is not allowed is told so, and not that he may not. */
  error?: Error | undefined;
}

/** One way of deciding: at once where what is in memory says it. */
export interface Authorizer {
  /** Never rejects: what goes wrong is a decision, too. */
  authorize(attributes: Attributes): Decision | Promise<Decision>;
}

/** One that asks nobody. */
export interface PromptAuthorizer extends Authorizer {
  authorize(attributes: Attributes): Decision;
}

export const noOpinion: Decision = { outcome: 'no-opinion', reason: '' };

/** Asks authorizers in order; the first opinion counts. Members of system:masters may do everything. */
export class AuthorizerChain implements Authorizer {
  readonly #authorizers: readonly Authorizer[];

  constructor(authorizers: readonly Authorizer[]) {
    this.#authorizers = authorizers;
  }

  authorize(attributes: Attributes): Decision | Promise<Decision> {
    if (attributes.user.groups.includes(groups.masters)) return { outcome: 'allow', reason: '' };
    return this.#ask(attributes, 0, []);
  }

  /** Those from `first` on; `before` had no opinion. */
  #ask(attributes: Attributes, first: number, before: readonly Decision[]): Decision | Promise<Decision> {
    const silent = [...before];
    for (const [index, authorizer] of this.#authorizers.entries()) {
      if (index < first) continue;
      const decision = authorizer.authorize(attributes);
      if (decision instanceof Promise)
        return decision.then((later) =>
          later.outcome === 'no-opinion' ? this.#ask(attributes, index + 1, [...silent, later]) : later,
        );
      if (decision.outcome !== 'no-opinion') return decision;
      silent.push(decision);
    }
    return undecided(silent);
  }
}

/** With all that was said, and all that went wrong. */
function undecided(silent: readonly Decision[]): Decision {
  const reason = silent.flatMap((each) => each.reason || []).join('\n');
  const errors = silent.flatMap(({ error }) => error ?? []);
  if (errors.length === 0) return { outcome: 'no-opinion', reason };
  const error = new Error(aggregateText(errors.map(({ message }) => message)));
  return { outcome: 'no-opinion', reason, error };
}

/** Allows everything; mode AlwaysAllow. */
export const alwaysAllow: PromptAuthorizer = { authorize: () => ({ outcome: 'allow', reason: '' }) };

/** Allows nothing; mode AlwaysDeny. */
export const alwaysDeny: PromptAuthorizer = {
  authorize: () => ({ outcome: 'no-opinion', reason: 'Everything is forbidden.' }),
};

/** The attributes of a request. */
export function attributesOf(
  user: UserInfo,
  info: RequestInfo,
  selectors: Pick<Attributes, 'fieldSelector' | 'labelSelector'> = {},
): Attributes {
  const { verb, isResource, path, group, version, resource, subresource, namespace } = info;
  // Rules that name an object also hold for lists and watches of that object alone.
  const name = objectNameOf(info);
  return {
    user,
    verb,
    isResource,
    path,
    group,
    version,
    resource,
    subresource,
    namespace,
    name,
    ...selectors,
  };
}

/** The 403 for a refusal, with upstream's sentence; 500 where somebody could not be asked. */
export function refusalOf(attributes: Attributes, { reason, error }: Decision): StatusError {
  return error ? internalError(error) : refusal(attributes, reason);
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
