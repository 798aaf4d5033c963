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

/** `system:serviceaccount:NAMESPACE:NAME`. */
export function serviceAccountUserName(namespace: string, name: string): string {
  return `${serviceAccountPrefix}${namespace}:${name}`;
}

/** The groups that every service account of a namespace is in. */
export function serviceAccountGroups(namespace: string): string[] {
  return [groups.serviceAccounts, `${groups.serviceAccounts}:${namespace}`];
}

/** The node's name, when the user is a kubelet (`system:node:NAME` in the group of nodes). */
export function nodeNameOf(user: UserInfo): string | undefined {
  const prefix = 'system:node:';
  const isNode = user.groups.includes(groups.nodes) && user.name.startsWith(prefix);
  return isNode ? user.name.slice(prefix.length) : undefined;
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
