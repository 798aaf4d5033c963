import type {
  FieldError,
  JsonObject,
  LocalSubjectAccessReview,
  NonResourceAttributes,
  ObjectMeta,
  ResourceAttributes,
  SelfSubjectAccessReview,
  SelfSubjectRulesReview,
  SubjectAccessReview,
  SubjectAccessReviewStatus,
} from '@wherry/kubeapi';
import { badRequest, invalid, invalidValue } from '@wherry/kubeapi';
import type { UserInfo } from '../authentication/identity.ts';
import { groups } from '../authentication/identity.ts';
import type { Attributes, Authorizer } from '../authorization/authorizer.ts';
import type { KnownRights } from '../authorization/create-authorizer.ts';
import { fieldSelectorText, labelSelectorText, selectorErrors } from './selector-attributes.ts';

type AccessReview = SelfSubjectAccessReview | SubjectAccessReview | LocalSubjectAccessReview;

/** What a review asks about. */
interface Question {
  resourceAttributes?: ResourceAttributes | undefined;
  nonResourceAttributes?: NonResourceAttributes | undefined;
}

/** A review with its answer. */
type Answered<T> = T & { status: SubjectAccessReviewStatus };

/** Answers whether `user` may do what the review's spec says. Rejects with 422 when it says nothing, or too much. */
export async function reviewAccess<T extends AccessReview>(
  review: T,
  user: UserInfo,
  authorizer: Authorizer,
): Promise<Answered<T>> {
  refuse([...questionErrors(review.spec), ...metadataErrors(review.metadata ?? {})]);
  return answered(review, user, authorizer);
}

/** The same for the user that the review names. Rejects with 422 when it names nobody. */
export async function reviewSubject(
  review: SubjectAccessReview,
  authorizer: Authorizer,
): Promise<Answered<SubjectAccessReview>> {
  refuse([
    ...questionErrors(review.spec),
    ...subjectErrors(review.spec),
    ...metadataErrors(review.metadata ?? {}),
  ]);
  return answered(review, subjectOf(review), authorizer);
}

/** The same in one namespace. */
export async function reviewLocally(
  review: LocalSubjectAccessReview,
  namespace: string,
  authorizer: Authorizer,
): Promise<Answered<LocalSubjectAccessReview>> {
  const { namespace: said = namespace, ...metadata } = review.metadata ?? {};
  if (said !== namespace)
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  const { resourceAttributes: resource, nonResourceAttributes } = review.spec;
  const elsewhere = resource && (resource.namespace ?? '') !== namespace;
  const place = 'spec.resourceAttributes.namespace';
  refuse([
    ...questionErrors(review.spec),
    ...subjectErrors(review.spec),
    ...metadataErrors(metadata, ' except for namespace'),
    ...(elsewhere ? [invalidValue(place, resource.namespace ?? '', 'must match metadata.namespace')] : []),
    ...(nonResourceAttributes
      ? [
          invalidValue(
            'spec.nonResourceAttributes',
            nonResourceAttributes as JsonObject,
            'disallowed on this kind of request',
          ),
        ]
      : []),
  ]);
  return answered(review, subjectOf(review), authorizer);
}

async function answered<T extends AccessReview>(
  review: T,
  user: UserInfo,
  authorizer: Authorizer,
): Promise<Answered<T>> {
  const { outcome, reason, error } = await authorizer.authorize(attributesOf(review.spec, user));
  const status: SubjectAccessReviewStatus = { allowed: outcome === 'allow' };
  if (outcome === 'deny') status.denied = true;
  if (reason) status.reason = reason;
  if (error) status.evaluationError = error.message;
  return { ...review, status };
}

function refuse(errors: FieldError[]): void {
  if (errors.length > 0) throw invalid({ group: 'authorization.k8s.io', kind: '' }, '', errors);
}

function questionErrors({ resourceAttributes: resource, nonResourceAttributes: other }: Question) {
  if (resource && other) {
    const why = 'cannot be specified in combination with resourceAttributes';
    return [invalidValue('spec.nonResourceAttributes', other as JsonObject, why)];
  }
  if (resource) return selectorErrors(resource);
  const why = 'exactly one of nonResourceAttributes or resourceAttributes must be specified';
  return other ? [] : [invalidValue('spec.resourceAttributes', undefined, why)];
}

function subjectErrors({ user = '', groups: memberships = [] }: SubjectAccessReview['spec']): FieldError[] {
  if (user !== '' || memberships.length > 0) return [];
  return [invalidValue('spec.user', '', 'at least one of user or group must be specified')];
}

/** A review is nothing that could have a name. */
function metadataErrors({ managedFields: _managers, ...metadata }: ObjectMeta, but = ''): FieldError[] {
  if (Object.keys(metadata).length === 0) return [];
  return [invalidValue('metadata', metadata as JsonObject, `must be empty${but}`)];
}

function subjectOf(review: SubjectAccessReview | LocalSubjectAccessReview): UserInfo {
  const { user = '', groups: memberships = [], uid = '', extra = {} } = review.spec;
  return { name: user, groups: memberships, uid, extra };
}

function attributesOf(question: Question, user: UserInfo): Attributes {
  const { resourceAttributes: resource, nonResourceAttributes: nonResource } = question;
  return {
    user,
    isResource: resource !== undefined,
    verb: resource?.verb ?? nonResource?.verb ?? '',
    path: nonResource?.path ?? '',
    group: resource?.group ?? '',
    version: resource?.version || '*',
    resource: resource?.resource ?? '',
    subresource: resource?.subresource ?? '',
    namespace: resource?.namespace ?? '',
    name: resource?.name ?? '',
    fieldSelector: resource?.fieldSelector && fieldSelectorText(resource.fieldSelector),
    labelSelector: resource?.labelSelector && labelSelectorText(resource.labelSelector),
  };
}

const allRules = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  { verbs: ['*'], nonResourceURLs: ['*'] },
];

const allowsAll = ({ verbs, resources = [] }: { verbs: readonly string[]; resources?: readonly string[] }) =>
  verbs.includes('*') && resources.includes('*');

const untold = 'webhook authorizer does not support user rule resolution';

/** Lists what `user` may do in a namespace, as far as that is known. Throws 400 when it names none. */
export function reviewRules(
  review: SelfSubjectRulesReview,
  user: UserInfo,
  { everything, sources, isElsewhere }: KnownRights,
): SelfSubjectRulesReview {
  const { namespace } = review.spec;
  if (!namespace) throw badRequest('no namespace on request');
  const told = sources.flatMap((source) => source.rulesFor(user, namespace));
  const mayAll = everything || user.groups.includes(groups.masters);
  const rules = mayAll && !told.some(allowsAll) ? [...told, ...allRules] : told;
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
  return {
    ...review,
    // As upstream, whose answer does not say what it was asked.
    metadata: {},
    spec: {},
    status: {
      ...{ incomplete: isElsewhere, resourceRules, nonResourceRules },
      ...(isElsewhere ? { evaluationError: untold } : {}),
    },
  };
}
