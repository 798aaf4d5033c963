import { describeUser } from '../../authentication/identity.ts';
import { review } from '../answers.ts';
import type { ServedKind } from '../definition.ts';

/** Who one is: answered, and not stored. */
export const selfSubjectReview: ServedKind = {
  group: 'authentication.k8s.io',
  kind: 'SelfSubjectReview',
  handlers: ({ admission }) => ({
    '': review(
      { group: 'authentication.k8s.io', version: 'v1', kind: 'SelfSubjectReview' },
      { admission },
      (object: object, { user }) => ({
        ...object,
        status: { userInfo: describeUser(user) },
      }),
    ),
  }),
};
