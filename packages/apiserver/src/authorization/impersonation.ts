import type { IncomingMessage } from 'node:http';
import { badRequest, dnsLabel, dnsSubdomain } from '@wherry/kubeapi';
import { groups, serviceAccountGroups, type UserInfo } from '../authentication/identity.ts';
import { type Attributes, type Authorizer, refusal } from './authorizer.ts';

/**
 * The user that the request's `Impersonate-User`, `-Group`, `-Uid` and `-Extra-KEY` headers ask to be, or undefined
 * without them. Throws 403 unless `user` may impersonate that name, each of those groups, the uid, and each value of
 * each extra key; 400 when there is no name (upstream: apiserver pkg/endpoints/filters/impersonation).
 */
export function impersonated(
  request: Pick<IncomingMessage, 'headersDistinct'>,
  user: UserInfo,
  authorizer: Authorizer,
): UserInfo | undefined {
  const asked = readAsked(request.headersDistinct);
  if (!asked) return undefined;
  const targets = targetsOf(asked);
  if (asked.name === '') {
    const shown = targets.map(describe).join(' ');
    throw badRequest(`requested [${shown}] without impersonating a user`);
  }
  for (const target of targets) authorize(user, target, authorizer);
  const account = accountOf(asked.name);
  const memberships =
    asked.groups.length === 0 && account ? serviceAccountGroups(account.namespace) : asked.groups;
  return {
    name: asked.name,
    uid: asked.uid,
    groups: withImplied(asked.name, memberships),
    extra: Object.fromEntries(asked.extra),
  };
}

interface Asked {
  name: string;
  groups: string[];
  uid: string;
  extra: Map<string, string[]>;
}

const extraPrefix = 'impersonate-extra-';

/** Undefined when no header asks for anything. Each header line is one value: a group's name may have a comma. */
function readAsked(headers: IncomingMessage['headersDistinct']): Asked | undefined {
  const asked: Asked = {
    name: headers['impersonate-user']?.[0] ?? '',
    groups: headers['impersonate-group'] ?? [],
    uid: headers['impersonate-uid']?.[0] ?? '',
    extra: new Map(),
  };
  for (const [name, values = []] of Object.entries(headers)) {
    if (name.startsWith(extraPrefix)) asked.extra.set(extraKey(name.slice(extraPrefix.length)), values);
  }
  const { name, groups, uid, extra } = asked;
  return name === '' && groups.length === 0 && uid === '' && extra.size === 0 ? undefined : asked;
}

/** Percent-encoded bytes are decoded; a key that can't be is taken as it stands. */
function extraKey(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}

interface Target extends Pick<Attributes, 'group' | 'resource' | 'subresource' | 'namespace' | 'name'> {
  kind: 'ServiceAccount' | 'User' | 'Group' | 'UserExtra' | 'UID';
}

const core = { group: '', subresource: '', namespace: '' };
const authentication = { group: 'authentication.k8s.io', subresource: '', namespace: '' };

function targetsOf({ name, groups, uid, extra }: Asked): Target[] {
  const account = accountOf(name);
  const targets: Target[] = [];
  if (account) targets.push({ kind: 'ServiceAccount', ...core, resource: 'serviceaccounts', ...account });
  else if (name !== '') targets.push({ kind: 'User', ...core, resource: 'users', name });
  for (const group of groups) targets.push({ kind: 'Group', ...core, resource: 'groups', name: group });
  for (const [key, values] of extra) {
    for (const value of values) {
      const target = { ...authentication, resource: 'userextras', subresource: key, name: value };
      targets.push({ kind: 'UserExtra', ...target });
    }
  }
  if (uid !== '') targets.push({ kind: 'UID', ...authentication, resource: 'uids', name: uid });
  return targets;
}

/** As Go prints the reference: kind, namespace, name, uid, version, resourceVersion, key. */
function describe({ kind, namespace, name, group, subresource }: Target): string {
  return `{${kind} ${namespace} ${name}  ${group === '' ? '' : `${group}/v1`}  ${subresource}}`;
}

function accountOf(user: string): { namespace: string; name: string } | undefined {
  const [, namespace = '', name = ''] = /^system:serviceaccount:([^:]*):([^:]*)$/.exec(user) ?? [];
  const isValid = dnsLabel(namespace).length === 0 && dnsSubdomain(name).length === 0;
  return isValid ? { namespace, name } : undefined;
}

/** The group of the known, or of the unknown, is added where the asked ones do not settle it. */
function withImplied(name: string, memberships: readonly string[]): string[] {
  const { authenticated, unauthenticated } = groups;
  const implied = name === 'system:anonymous' ? unauthenticated : authenticated;
  const isSettled =
    memberships.includes(unauthenticated) ||
    (implied === authenticated && memberships.includes(authenticated));
  return isSettled ? [...memberships] : [...memberships, implied];
}

function authorize(user: UserInfo, { kind: _, ...target }: Target, authorizer: Authorizer): void {
  const attributes: Attributes = { user, verb: 'impersonate', isResource: true, path: '', ...target };
  const decision = authorizer.authorize(attributes);
  if (decision.outcome !== 'allow') throw refusal(attributes, decision.reason);
}
