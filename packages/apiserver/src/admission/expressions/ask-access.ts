import { type AccessQuestion, type AskAccess, parseFieldSelector } from '@wherry/kubeapi';
import { serviceAccountUser, type UserInfo } from '../../authentication/identity.ts';
import type { Attributes, Authorizer } from '../../authorization/authorizer.ts';

/** How expressions ask who may do what: as SubjectAccessReviews do, for whoever makes the request or a service account. */
export function askAccess(authorizer: Authorizer, user: UserInfo): AskAccess {
  return ({ serviceAccount, verb, target }) => {
    const subject = serviceAccount ? serviceAccountUser(serviceAccount.namespace, serviceAccount.name) : user;
    const { outcome, reason } = authorizer.authorize({ ...attributesOf(target), user: subject, verb });
    return { isAllowed: outcome === 'allow', reason };
  };
}

/** No authorizer of ours looks at labels. */
function attributesOf(target: AccessQuestion['target']): Omit<Attributes, 'user' | 'verb'> {
  if ('path' in target) {
    const none = { group: '', resource: '', subresource: '', namespace: '', name: '' };
    return { isResource: false, path: target.path, ...none };
  }
  const { labelSelector: _, fieldSelector, ...named } = target;
  return { isResource: true, path: '', ...named, fieldSelector: readable(fieldSelector) };
}

/** As upstream: a selector that can't be read narrows nothing. */
function readable(fieldSelector: string): string | undefined {
  try {
    parseFieldSelector(fieldSelector);
    return fieldSelector;
  } catch {
    return undefined;
  }
}
