import type { SubjectAccessReview } from '@wherry/kubeapi';
import { reviewSubject } from '../../reviews/access-reviews.ts';
import { review } from '../answers.ts';
import type { ServedKind } from '../definition.ts';

/** What somebody may do: answered, and not stored. */
export const subjectAccessReview: ServedKind = {
  group: 'authorization.k8s.io',
  kind: 'SubjectAccessReview',
  handlers: ({ admission, authorizer }) => ({
    '': review(
      { group: 'authorization.k8s.io', version: 'v1', kind: 'SubjectAccessReview' },
      { admission },
      (object: SubjectAccessReview) => reviewSubject(object, authorizer),
    ),
  }),
};
