import { hasReason } from '@wherry/kubeapi/objects';
import { limits } from '../limits.ts';

/**
 * Tries a write again when somebody else's came first; `attempt` is told which try it is, from 1 on, and reads anew what
 * it changes. Throws the Conflict after {@link limits.conflictAttemptsMax} tries, and all else at once.
 */
export async function againOnConflict<T>(attempt: (number: number) => Promise<T>): Promise<T> {
  for (let number = 1; ; number += 1) {
    try {
      return await attempt(number);
    } catch (error) {
      if (!hasReason(error, 'Conflict') || number >= limits.conflictAttemptsMax) throw error;
    }
  }
}
