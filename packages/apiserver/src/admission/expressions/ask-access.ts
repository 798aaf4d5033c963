import { type AccessAnswer, type AccessQuestion, type AskAccess, parseFieldSelector } from '@wherry/kubeapi';
import { serviceAccountUser, type UserInfo } from '../../authentication/identity.ts';
import type { Attributes, Authorizer, Decision } from '../../authorization/authorizer.ts';

/** Somebody is asked who does not answer at once: the expression is to be run anew when he has. */
class PendingAccess extends Error {
  readonly answered: Promise<void>;

  constructor(answered: Promise<void>) {
    super('an answer about access is waited for');
    this.answered = answered;
  }
}

/**
 * How expressions ask who may do what: as SubjectAccessReviews do, for whoever makes the request or a service account. They
 * are to be run by {@link whenAnswered}.
 */
export function askAccess(authorizer: Authorizer, user: UserInfo): AskAccess {
  const answers = new Map<string, AccessAnswer>();
  return (question) => {
    const key = JSON.stringify(question);
    const known = answers.get(key);
    if (known) return known;
    const { serviceAccount, verb, target } = question;
    const subject = serviceAccount ? serviceAccountUser(serviceAccount.namespace, serviceAccount.name) : user;
    const decision = authorizer.authorize({ ...attributesOf(target), user: subject, verb });
    if (!(decision instanceof Promise)) return answerOf(decision);
    throw new PendingAccess(decision.then((later) => void answers.set(key, answerOf(later))));
  };
}

/** Runs what asks about access, anew each time that somebody has to be waited for. */
export async function whenAnswered<T>(run: () => T): Promise<T> {
  for (;;) {
    try {
      return run();
    } catch (error) {
      if (!(error instanceof PendingAccess)) throw error;
      await error.answered;
    }
  }
}

function answerOf({ outcome, reason }: Decision): AccessAnswer {
  return { isAllowed: outcome === 'allow', reason };
}

function attributesOf(target: AccessQuestion['target']): Omit<Attributes, 'user' | 'verb'> {
  if ('path' in target) {
    const none = { group: '', resource: '', subresource: '', namespace: '', name: '' };
    return { isResource: false, path: target.path, ...none };
  }
  const { fieldSelector, ...named } = target;
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
