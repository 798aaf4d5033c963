import type { CronJob } from '@wherry/kubeapi/objects';
import type { Schedule } from './schedule.ts';

/** What the schedule says of now. */
export interface DueTimes {
  /** The last time that is past and has not been served, in milliseconds since 1970. */
  dueMs: number | undefined;
  /** How many times have passed since the last one that was served, as nearly as it can be told. */
  missed: number;
  earliestMs: number;
}

const manyMissed = 100;

/** More than this many times were missed: the clock may be wrong. */
export const isTooMany = ({ missed }: DueTimes): boolean => missed > manyMissed;

/**
 * The last time that is due (upstream: mostRecentScheduleTime). Times are counted by the distance of the first two, not
 * one by one. Throws `RangeError` when times are less than a second apart, or there are none.
 */
export function dueTimes(
  { metadata, spec, status }: CronJob,
  schedule: Schedule,
  { nowMs, withDeadline }: { nowMs: number; withDeadline: boolean },
): DueTimes {
  const { startingDeadlineSeconds } = spec;
  let earliestMs = Date.parse(status?.lastScheduleTime ?? metadata.creationTimestamp ?? '') || 0;
  if (withDeadline && startingDeadlineSeconds !== undefined)
    earliestMs = Math.max(earliestMs, nowMs - startingDeadlineSeconds * 1000);
  const first = schedule.nextMs(earliestMs);
  const tooClose = 'time difference between two schedules is less than 1 second';
  // A time that never comes is none in upstream's count of them.
  if (first === Number.POSITIVE_INFINITY) throw new RangeError(tooClose);
  if (nowMs < first) return { dueMs: undefined, missed: 0, earliestMs };
  const second = schedule.nextMs(first);
  if (nowMs < second) return { dueMs: first, missed: 0, earliestMs };
  const distanceMs = Math.round((second - first) / 1000) * 1000;
  if (distanceMs < 1000) throw new RangeError(tooClose);
  const missed = Math.floor((nowMs - first) / distanceMs) + 1;
  let dueMs: number | undefined;
  const from = first + (missed - 2) * distanceMs;
  for (let time = schedule.nextMs(from); time <= nowMs; time = schedule.nextMs(time)) dueMs = time;
  return { dueMs, missed, earliestMs };
}

/** How long until the next time, a tenth of a second added so that it is past by then. */
export function waitForNextMs(cronJob: CronJob, schedule: Schedule, nowMs: number): number {
  let fromMs = nowMs;
  try {
    const { dueMs, missed, earliestMs } = dueTimes(cronJob, schedule, { nowMs, withDeadline: false });
    fromMs = dueMs ?? (missed === 0 ? earliestMs : nowMs);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  return schedule.nextMs(fromMs) + 100 - nowMs;
}
