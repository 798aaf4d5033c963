import type { DeleteOptions } from '@wherry/client';

/** What becomes of the dependents of an object that is deleted, as the API has it. */
const propagation = { background: 'Background', foreground: 'Foreground', orphan: 'Orphan' } as const;

/** What becomes of them, as `--cascade` has it. */
export type Cascade = keyof typeof propagation;

/** What a deletion is asked with; a grace period in seconds, below 0 for the object's own. */
export const deleteOptions = (cascade: Cascade, gracePeriodSeconds: number): DeleteOptions => ({
  propagationPolicy: propagation[cascade],
  ...(gracePeriodSeconds < 0 ? {} : { gracePeriodSeconds }),
});

/** How soon what runs in an object is to end. */
export interface GraceFlags {
  /** Seconds; below 0 for the object's own. */
  gracePeriod: number;
  now?: boolean;
  force?: boolean;
}

/** As kubectl's, in seconds: nothing but `--force` leaves out the wait for what runs, so 0 alone is a second. */
export function gracePeriodOf({ force, now, gracePeriod }: GraceFlags): number {
  if (force) return 0;
  return now || gracePeriod === 0 ? 1 : gracePeriod;
}
