import type {
  LocalSubjectAccessReview,
  NonResourceAttributes,
  ResourceAttributes,
  SelfSubjectAccessReview,
  SelfSubjectRulesReview,
  SubjectAccessReview,
  SubjectAccessReviewStatus,
} from '@wherry/kubeapi';
import { badRequest } from '@wherry/kubeapi';
import type { UserInfo } from '../authentication/identity.ts';
import { groups } from '../authentication/identity.ts';
import type { Attributes, Authorizer } from '../authorization/authorizer.ts';
import type { RbacAuthorizer } from '../authorization/rbac.ts';

type AccessReview = SelfSubjectAccessReview | SubjectAccessReview | LocalSubjectAccessReview;

/** What a review asks about. */
interface Question {
  resourceAttributes?: ResourceAttributes | undefined;
  nonResourceAttributes?: NonResourceAttributes | undefined;
}

/** Answers whether `user` may do what the review's spec says. Throws 400 when it says nothing. */
export function reviewAccess<T extends AccessReview>(
  review: T,
  user: UserInfo,
  authorizer: Authorizer,
): T & { status: SubjectAccessReviewStatus } {
  const decision = authorizer.authorize(attributesOf(review.spec, user));
  const status: SubjectAccessReviewStatus = { allowed: decision.outcome === 'allow' };
  if (decision.outcome === 'deny') status.denied = true;
  if (decision.reason) status.reason = decision.reason;
  return { ...review, status };
}

/** The user that a SubjectAccessReview names. Throws 400 when it names nobody. */
export function subjectOf(review: SubjectAccessReview | LocalSubjectAccessReview): UserInfo {
  const { user = '', groups: memberships = [], uid = '', extra = {} } = review.spec;
  if (user === '' && memberships.length === 0)
    throw badRequest('spec.user: at least one of user or group must be specified');
  return { name: user, groups: memberships, uid, extra };
}

function attributesOf(question: Question, user: UserInfo): Attributes {
  const { resourceAttributes: resource, nonResourceAttributes: nonResource } = question;
  if (!resource === !nonResource) {
    throw badRequest('exactly one of nonResourceAttributes or resourceAttributes must be specified');
  }
  return {
    user,
    isResource: resource !== undefined,
    verb: resource?.verb ?? nonResource?.verb ?? '',
    path: nonResource?.path ?? '',
    group: resource?.group ?? '',
    resource: resource?.resource ?? '',
    subresource: resource?.subresource ?? '',
    namespace: resource?.namespace ?? '',
    name: resource?.name ?? '',
    fieldSelector: resource?.fieldSelector?.rawSelector,
  };
}

/** Lists what `user` may do in a namespace, as far as roles say it. */
export function reviewRules(
  review: SelfSubjectRulesReview,
  user: UserInfo,
  rbac: RbacAuthorizer | undefined,
): SelfSubjectRulesReview {
  const everything = user.groups.includes(groups.masters) || !rbac;
  const rules = everything
    ? [
        { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
        { verbs: ['*'], nonResourceURLs: ['*'] },
      ]
    : rbac.rulesFor(user, review.spec.namespace ?? '');
  const resourceRules = rules
    .filter((rule) => rule.resources?.length)
    .map((rule) => ({
      verbs: rule.verbs,
      apiGroups: rule.apiGroups ?? [],
      resources: rule.resources ?? [],
      ...('resourceNames' in rule && rule.resourceNames ? { resourceNames: rule.resourceNames } : {}),
    }));
  const nonResourceRules = rules
    .filter((rule) => rule.nonResourceURLs?.length)
    .map((rule) => ({ verbs: rule.verbs, nonResourceURLs: rule.nonResourceURLs ?? [] }));
  return { ...review, status: { incomplete: false, resourceRules, nonResourceRules } };
}
