/** Who sends a request. */
export interface UserInfo {
  name: string;
  uid: string;
  groups: readonly string[];
  extra: Readonly<Record<string, readonly string[]>>;
}

/** Groups that the server itself gives or looks for. */
export const groups = {
  authenticated: 'system:authenticated',
  unauthenticated: 'system:unauthenticated',
  masters: 'system:masters',
  nodes: 'system:nodes',
  serviceAccounts: 'system:serviceaccounts',
} as const;

/** A user with these groups and nothing else. */
export function userInfo(name: string, memberships: readonly string[], uid = ''): UserInfo {
  return { name, uid, groups: memberships, extra: {} };
}

/** Who is behind a request without credentials. */
export const anonymous: UserInfo = userInfo('system:anonymous', [groups.unauthenticated]);

const serviceAccountPrefix = 'system:serviceaccount:';
const nodePrefix = 'system:node:';

/** `system:serviceaccount:NAMESPACE:NAME`. */
export function serviceAccountUserName(namespace: string, name: string): string {
  return `${serviceAccountPrefix}${namespace}:${name}`;
}

/** The groups that every service account of a namespace is in. */
export function serviceAccountGroups(namespace: string): string[] {
  return [groups.serviceAccounts, `${groups.serviceAccounts}:${namespace}`];
}

/** A service account as a user, without what its token may tell besides. */
export function serviceAccountUser(namespace: string, name: string): UserInfo {
  return userInfo(serviceAccountUserName(namespace, name), serviceAccountGroups(namespace));
}

/** What a name says that is one of a service account. */
export function serviceAccountIn(userName: string): { namespace: string; name: string } | undefined {
  if (!userName.startsWith(serviceAccountPrefix)) return undefined;
  const [namespace = '', name, ...others] = userName.slice(serviceAccountPrefix.length).split(':');
  return name === undefined || others.length > 0 ? undefined : { namespace, name };
}

/** What a name says that is one of a kubelet (`system:node:NAME`). */
export function nodeNameIn(userName: string): string | undefined {
  return userName.startsWith(nodePrefix) ? userName.slice(nodePrefix.length) : undefined;
}

/** The node's name, when the user is a kubelet: called so, and in the group of nodes. */
export function nodeNameOf(user: UserInfo): string | undefined {
  return user.groups.includes(groups.nodes) ? nodeNameIn(user.name) : undefined;
}

/** A user as objects and reviews print it. */
export function describeUser(user: UserInfo) {
  const extra = Object.fromEntries(Object.entries(user.extra).map(([key, values]) => [key, [...values]]));
  return {
    username: user.name,
    ...(user.uid ? { uid: user.uid } : {}),
    groups: [...user.groups],
    ...(Object.keys(extra).length > 0 ? { extra } : {}),
  };
}
