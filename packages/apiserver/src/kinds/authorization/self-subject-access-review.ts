import type { SelfSubjectAccessReview } from '@wherry/kubeapi';
import { reviewAccess } from '../../reviews/access-reviews.ts';
import { review } from '../answers.ts';
import type { ServedKind } from '../definition.ts';

/** What one may do: answered, and not stored. */
export const selfSubjectAccessReview: ServedKind = {
  group: 'authorization.k8s.io',
  kind: 'SelfSubjectAccessReview',
  handlers: ({ admission, authorizer }) => ({
    '': review(
      { group: 'authorization.k8s.io', version: 'v1', kind: 'SelfSubjectAccessReview' },
      { admission },
      (object: SelfSubjectAccessReview, { user }) => reviewAccess(object, user, authorizer),
    ),
  }),
};
