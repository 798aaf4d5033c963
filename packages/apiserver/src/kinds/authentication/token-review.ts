import type { TokenReview } from '@wherry/kubeapi';
import { reviewToken } from '../../reviews/token-review.ts';
import { review } from '../answers.ts';
import type { ServedKind } from '../definition.ts';

/** Reviews of tokens: answered, and not stored. */
export const tokenReview: ServedKind = {
  group: 'authentication.k8s.io',
  kind: 'TokenReview',
  handlers: ({ admission, authenticator, tokens }) => ({
    '': review(
      { group: 'authentication.k8s.io', version: 'v1', kind: 'TokenReview' },
      { admission },
      (object: TokenReview) => reviewToken(object, { authenticator, tokens }),
    ),
  }),
};
