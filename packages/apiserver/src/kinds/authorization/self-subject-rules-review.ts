import type { SelfSubjectRulesReview } from '@wherry/kubeapi';
import { reviewRules } from '../../reviews/access-reviews.ts';
import { review } from '../answers.ts';
import type { ServedKind } from '../definition.ts';

/** All that one may do: answered, and not stored. */
export const selfSubjectRulesReview: ServedKind = {
  group: 'authorization.k8s.io',
  kind: 'SelfSubjectRulesReview',
  handlers: ({ admission, knownRights }) => ({
    '': review(
      { group: 'authorization.k8s.io', version: 'v1', kind: 'SelfSubjectRulesReview' },
      { admission },
      (object: SelfSubjectRulesReview, { user }) => reviewRules(object, user, knownRights()),
    ),
  }),
};
