import { limits } from '../limits.ts';
import { SettingsError } from '../settings-error.ts';
import type { InFlightLimitsOptions } from './in-flight-limits.ts';

/** How many requests are served at one time: the sum of what both kinds may have. Throws SettingsError where that is nothing. */
export function inFlightMax({
  maxRequestsInflight = limits.readingInFlightMax,
  maxMutatingRequestsInflight = limits.changesInFlightMax,
}: InFlightLimitsOptions): number {
  const sum = maxRequestsInflight + maxMutatingRequestsInflight;
  if (sum > 0) return sum;
  throw new SettingsError(
    '--max-requests-inflight and --max-mutating-requests-inflight must add up to something positive',
  );
}
