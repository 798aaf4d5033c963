import { humanDuration } from '@wherry/kubeapi';

/** A time span for people, as kubectl writes it; clocks that differ make none that is below 0. */
export const formatAge = (milliseconds: number): string => humanDuration(Math.max(0, milliseconds));
