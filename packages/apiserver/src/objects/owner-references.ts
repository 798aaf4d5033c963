import type { ObjectMeta } from '@wherry/kubeapi';

/**
 * Leaves each owner in once where it is told several times in the same words (upstream: endpoints/handlers/rest.go). The
 * UIDs of those that were dropped, in their order.
 */
export function dropRepeatedOwners(metadata: ObjectMeta): string[] {
  const owners = metadata.ownerReferences ?? [];
  const seen = new Set<string>();
  const dropped: string[] = [];
  const kept = owners.filter(({ apiVersion, kind, name, uid, controller, blockOwnerDeletion }) => {
    const key = JSON.stringify([apiVersion, kind, name, uid, controller, blockOwnerDeletion]);
    if (seen.has(key)) dropped.push(uid ?? '');
    return !seen.has(key) && seen.add(key);
  });
  if (dropped.length > 0) metadata.ownerReferences = kept;
  return dropped;
}
