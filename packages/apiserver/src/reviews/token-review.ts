import { badRequest, type TokenReview } from '@wherry/kubeapi';
import { type Authenticator, withAuthenticated } from '../authentication/authenticator.ts';
import { describeUser, type UserInfo } from '../authentication/identity.ts';
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
  const known = (user: UserInfo, audiences: readonly string[]): TokenReview => ({
    ...{ ...review, spec },
    status: { authenticated: true, user: describeUser(withAuthenticated(user)), audiences: [...audiences] },
  });
  const asked = audiences?.length ? audiences : tokens.audiences;
  const verified = await tokens.verify(token, asked);
  if (verified) return known(verified.user, audiences?.length ? verified.audiences : tokens.audiences);
  // Other tokens are for this server, whatever they say themselves.
  const own = tokens.audiences.filter((audience) => asked.includes(audience));
  const user = own.length > 0 ? await authenticator.userOfToken(token) : undefined;
  return user ? known(user, own) : { ...review, spec, status: unknownToken };
}
