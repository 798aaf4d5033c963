import { dnsLabel, dnsSubdomain } from '@wherry/kubeapi';
import { nodeNameIn, serviceAccountIn, type UserInfo } from '../../authentication/identity.ts';

/** The service account of a user's name. */
export function accountOf(userName: string): { namespace: string; name: string } | undefined {
  const told = serviceAccountIn(userName);
  const isValid = told && dnsLabel(told.namespace).length === 0 && dnsSubdomain(told.name).length === 0;
  return isValid ? told : undefined;
}

/** The node of a user's name. */
export function nodeOf(userName: string): string | undefined {
  const name = nodeNameIn(userName);
  return name !== undefined && dnsSubdomain(name).length === 0 ? name : undefined;
}

/** True for a service account whose token is bound to the node of `userName`, or to a pod there. */
export function isAtNode(user: UserInfo, userName: string): boolean {
  const node = nodeOf(userName);
  if (node === undefined || !accountOf(user.name)) return false;
  const told = user.extra['authentication.kubernetes.io/node-name'] ?? [];
  return told.length === 1 && told[0] === node;
}
