import { badRequest, type TokenReview } from '@wherry/kubeapi';
import { type Authenticator, withAuthenticated } from '../authentication/authenticator.ts';
import { describeUser, type UserInfo } from '../authentication/identity.ts';
import type { ServiceAccountTokens } from '../authentication/service-accounts/tokens.ts';

/** As upstream, which leaves out what is false. */
const unknownToken = { user: {}, error: 'invalid bearer token' };

/** Answers whose token it is, for kubelets and others that check tokens of their own callers. */
export async function reviewToken(
  review: TokenReview,
  { authenticator, tokens }: { authenticator: Authenticator; tokens: ServiceAccountTokens },
): Promise<TokenReview> {
  const { token = '', audiences } = review.spec;
  if (token === '') throw badRequest('token is required for TokenReview in authentication');
  // A copy of the token in the answer would end up in logs.
  const spec = { ...review.spec, token: '' };
  const known = (user: UserInfo, audiences: readonly string[]): TokenReview => ({
    ...{ ...review, spec },
    status: { authenticated: true, user: describeUser(withAuthenticated(user)), audiences: [...audiences] },
  });
  const asked = audiences?.length ? audiences : tokens.audiences;
  const bearer = await authenticator.bearerOf(token, asked);
  if (!bearer) return { ...review, spec, status: unknownToken };
  return known(bearer.user, audiences?.length ? bearer.audiences : tokens.audiences);
}
