import { badRequest, type TokenReview } from '@wherry/kubeapi';
import { type Authenticator, withAuthenticated } from '../authentication/authenticator.ts';
import { describeUser } from '../authentication/identity.ts';
import type { ServiceAccountTokens } from '../authentication/service-account-tokens.ts';

/** As upstream, which leaves out what is false. */
const unknownToken = { error: 'invalid bearer token' };

/** Answers whose token it is, for kubelets and others that check tokens of their own callers. */
export async function reviewToken(
  review: TokenReview,
  { authenticator, tokens }: { authenticator: Authenticator; tokens: ServiceAccountTokens },
): Promise<TokenReview> {
  const { token = '', audiences } = review.spec;
  if (token === '') throw badRequest('token is required for TokenReview in authentication');
  // A copy of the token in the answer would end up in logs.
  const spec = { ...review.spec, token: '' };
  if (audiences?.length) {
    const verified = await tokens.verify(token, audiences);
    if (!verified) return { ...review, spec, status: unknownToken };
    const user = describeUser(withAuthenticated(verified.user));
    return { ...review, spec, status: { authenticated: true, user, audiences: verified.audiences } };
  }
  const user = await authenticator.userOfToken(token);
  if (!user) return { ...review, spec, status: unknownToken };
  const found = describeUser(withAuthenticated(user));
  return { ...review, spec, status: { authenticated: true, user: found, audiences: [...tokens.audiences] } };
}
