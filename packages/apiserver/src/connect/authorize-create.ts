import { type Authorizer, attributesOf, refusalOf } from '../authorization/authorizer.ts';
import type { ResourceRequest } from '../requests/request.ts';

/** Whoever opens a stream must be allowed to create one, whatever the method (upstream since 1.35). Throws 403. */
export async function authorizeCreate(
  authorizer: Authorizer,
  { user, info }: Pick<ResourceRequest, 'user' | 'info'>,
): Promise<void> {
  if (info.verb === 'create') return;
  const attributes = { ...attributesOf(user, info), verb: 'create' };
  const decision = await authorizer.authorize(attributes);
  if (decision.outcome !== 'allow') throw refusalOf(attributes, decision);
}
