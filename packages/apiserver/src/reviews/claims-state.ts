import type { Clock } from '@wherry/clock';
import type { Node, ObjectMeta, Secret, ServiceAccount } from '@wherry/kubeapi';
import type { Logger } from '@wherry/telemetry';
import type { ServiceAccountClaims } from '../authentication/service-accounts/claims.ts';
import { holdsToken, isMarkedInvalid } from '../authentication/service-accounts/legacy-tokens.ts';
import type { ClaimsState } from '../authentication/service-accounts/tokens.ts';
import { periods } from '../limits.ts';
import { as } from '../objects/api-object.ts';
import type { ObjectCache } from '../objects/object-cache.ts';
import type { ObjectStorage } from '../objects/object-storage.ts';
import { noteLegacyUse } from './legacy-token-use.ts';

/** Where the objects are that tokens are bound to. */
export interface ClaimsStateOptions {
  caches: { serviceAccounts: ObjectCache<ServiceAccount>; nodes: ObjectCache<Node> };
  pods: ObjectStorage;
  secrets: ObjectStorage;
  clock: Clock;
  logger: Logger;
}

/**
 * Alive while the account, and the object that a token is bound to, are the ones that it was made for, and for a minute after they
 * should have gone: what a finalizer keeps keeps no token.
 */
export async function stateOfClaims(
  { namespace, name, uid, bound, secret }: ServiceAccountClaims,
  { caches, pods, secrets, clock, logger }: ClaimsStateOptions,
): Promise<ClaimsState> {
  const goneBeforeMs = clock.nowMs() - periods.clockSkewMs;
  const isAlive = (metadata: ObjectMeta | undefined, wanted: string) =>
    metadata?.uid === wanted && !(Date.parse(metadata.deletionTimestamp ?? '') < goneBeforeMs);
  const account = caches.serviceAccounts.get(`${namespace}/${name}`);
  if (!account || !isAlive(account.metadata, uid)) return 'gone';
  if (secret) {
    const found = await findSecret(secrets, namespace, secret.name);
    if (account.metadata.deletionTimestamp || !found || !holdsToken(found, secret.token)) return 'gone';
    await noteLegacyUse(found, { storage: secrets, clock, logger });
    if (isMarkedInvalid(found)) return 'invalidated';
    return account.secrets?.some(({ name: listed }) => listed === secret.name) ? 'listed' : 'alive';
  }
  if (!bound) return 'alive';
  const stateOf = (metadata: ObjectMeta | undefined) => (isAlive(metadata, bound.uid) ? 'alive' : 'gone');
  if (bound.kind === 'Node') return stateOf(caches.nodes.get(bound.name)?.metadata);
  const objects = bound.kind === 'Pod' ? pods : secrets;
  const found = await objects.find({ namespace, name: bound.name });
  return stateOf(found?.object.metadata);
}

/** Undefined: there is none. */
export async function findSecret(
  secrets: ObjectStorage,
  namespace: string,
  name: string,
): Promise<Secret | undefined> {
  const found = await secrets.find({ namespace, name });
  return found ? as<Secret>(found.object) : undefined;
}
