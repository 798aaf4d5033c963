import type { LocalSubjectAccessReview } from '@wherry/kubeapi';
import { reviewLocally } from '../../reviews/access-reviews.ts';
import { review } from '../answers.ts';
import type { ServedKind } from '../definition.ts';

/** What somebody may do in a namespace: answered, and not stored. */
export const localSubjectAccessReview: ServedKind = {
  group: 'authorization.k8s.io',
  kind: 'LocalSubjectAccessReview',
  handlers: ({ admission, authorizer }) => ({
    '': review(
      { group: 'authorization.k8s.io', version: 'v1', kind: 'LocalSubjectAccessReview' },
      { admission },
      (object: LocalSubjectAccessReview, { info }) => reviewLocally(object, info.namespace, authorizer),
    ),
  }),
};
