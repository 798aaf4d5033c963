import type { IncomingHttpHeaders } from 'node:http';
import { type Attributes, type Authorizer, refusal } from '../authorization/authorizer.ts';
import { groups, serviceAccountUserName, type UserInfo } from './identity.ts';

/**
 * The user that the request's `Impersonate-…` headers ask to be, or undefined without them. Throws 403 unless `user`
 * may impersonate that name and each of those groups.
 */
export async function impersonated(
  headers: IncomingHttpHeaders,
  user: UserInfo,
  authorizer: Authorizer,
): Promise<UserInfo | undefined> {
  const name = headers['impersonate-user'];
  if (typeof name !== 'string' || name === '') return undefined;
  const asked = listOf(headers['impersonate-group']);
  const targets = [
    targetOfName(name),
    ...asked.map((group) => ({ resource: 'groups', namespace: '', name: group })),
  ];
  for (const target of targets) await authorize(user, target, authorizer);
  const implied = impliedGroups(name);
  const memberships = asked.length > 0 ? asked : implied;
  const isAnonymous = name === 'system:anonymous';
  const last = isAnonymous ? groups.unauthenticated : groups.authenticated;
  return { name, uid: '', groups: [...new Set([...memberships, last])], extra: {} };
}

interface Target {
  resource: string;
  namespace: string;
  name: string;
}

const accountPattern = /^system:serviceaccount:([^:]+):([^:]+)$/;

function targetOfName(name: string): Target {
  const [, namespace, account] = accountPattern.exec(name) ?? [];
  return namespace && account
    ? { resource: 'serviceaccounts', namespace, name: account }
    : { resource: 'users', namespace: '', name };
}

function impliedGroups(name: string): string[] {
  const [, namespace, account] = accountPattern.exec(name) ?? [];
  if (!namespace || !account || serviceAccountUserName(namespace, account) !== name) return [];
  return [groups.serviceAccounts, `${groups.serviceAccounts}:${namespace}`];
}

async function authorize(user: UserInfo, target: Target, authorizer: Authorizer): Promise<void> {
  const attributes: Attributes = {
    ...{ user, verb: 'impersonate', isResource: true, path: '', group: '', subresource: '' },
    ...target,
  };
  const decision = await authorizer.authorize(attributes);
  if (decision.outcome !== 'allow') throw refusal(attributes, decision.reason);
}

function listOf(header: string | string[] | undefined): string[] {
  return [header ?? []]
    .flat()
    .flatMap((text) => text.split(','))
    .map((text) => text.trim())
    .filter(Boolean);
}
