import type { KubeObject } from '@wherry/client';
import { hasReason, lastAppliedManagers, type StatusError } from '@wherry/kubeapi';

/** In whose name the server applies where nobody says one. */
export const serverSideManager = 'wherry';

/**
 * Whether all fields that somebody else manages, as the error has it, are of client-side apply. For kubectl servers pass over such
 * conflicts by themselves, since what its annotation says was applied by the same hand (managedfields/lastappliedmanager.go).
 */
export function isOwnConflict(error: unknown, manager: string | undefined, live: KubeObject): boolean {
  if ((manager ?? serverSideManager) !== serverSideManager || !hasReason(error, 'Conflict')) return false;
  const own = lastAppliedManagers(live.metadata?.managedFields ?? [], 'Update');
  const causes = (error as StatusError).status.details?.causes ?? [];
  const isOwn = (message = '') =>
    own.some((name) => message.startsWith(`conflict with ${JSON.stringify(name)}`));
  return causes.length > 0 && causes.every(({ message }) => isOwn(message));
}
