import type { KubeObject } from '@wherry/client';
import { hasReason, lastAppliedManagers, type StatusError } from '@wherry/kubeapi';

/** In whose name the server applies where nobody says one. */
export const serverSideManager = 'wherry';

/** An apply that may meet fields of others. */
export interface Taking<T> {
  /** Applies; by force what others manage is taken over. */
  send(force: boolean | undefined): Promise<T>;
  forceConflicts: boolean | undefined;
  fieldManager: string | undefined;
  /** What the server has; undefined for nothing. */
  live(): Promise<KubeObject | undefined>;
}

/**
 * Applies, and takes over, too, what client-side apply manages and the file says otherwise. For kubectl servers pass over such
 * conflicts by themselves, since what its annotation says was applied by the same hand (managedfields/lastappliedmanager.go).
 */
export async function takingOver<T>({ send, forceConflicts, fieldManager, live }: Taking<T>): Promise<T> {
  try {
    return await send(forceConflicts);
  } catch (error) {
    const isOurs = (fieldManager ?? serverSideManager) === serverSideManager;
    if (forceConflicts || !isOurs || !hasReason(error, 'Conflict')) throw error;
    const found = await live();
    if (!found || !isOwnConflict(error as StatusError, found)) throw error;
    return send(true);
  }
}

/** Whether all fields that somebody else manages, as the error has it, are of client-side apply. */
function isOwnConflict({ status }: StatusError, live: KubeObject): boolean {
  const own = lastAppliedManagers(live.metadata?.managedFields ?? [], 'Update');
  const causes = status.details?.causes ?? [];
  const isOwn = (message = '') =>
    own.some((name) => message.startsWith(`conflict with ${JSON.stringify(name)}`));
  return causes.length > 0 && causes.every(({ message }) => isOwn(message));
}
