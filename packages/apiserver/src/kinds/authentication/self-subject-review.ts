import { timeFromMs } from '@wherry/kubeapi';
import { describeUser } from '../../authentication/identity.ts';
import { review } from '../answers.ts';
import type { ServedKind } from '../definition.ts';

/** Who one is: answered, and not stored. */
export const selfSubjectReview: ServedKind = {
  group: 'authentication.k8s.io',
  kind: 'SelfSubjectReview',
  handlers: ({ admission }, { clock }) => ({
    '': review(
      { group: 'authentication.k8s.io', version: 'v1', kind: 'SelfSubjectReview' },
      { admission },
      (_: object, { user }) => ({
        ...{ kind: 'SelfSubjectReview', apiVersion: 'authentication.k8s.io/v1' },
        metadata: { creationTimestamp: timeFromMs(clock.nowMs()) },
        status: { userInfo: describeUser(user) },
      }),
    ),
  }),
};
