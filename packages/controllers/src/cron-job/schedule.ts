import { parseCronSchedule } from '@wherry/kubeapi/objects';
import { nextTimeMs } from './next-time.ts';
import { Zone } from './zone-time.ts';

/** When a cron job is due. */
export interface Schedule {
  /** The first time after that one, both in milliseconds since 1970; infinite when there is none. */
  nextMs(afterMs: number): number;
}

/** Whether this machine knows a time zone. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/**
 * Reads five cron fields, `@hourly` and its like, or `@every 1h30m`; a zone that the schedule itself names goes before the
 * other one. Default zone: UTC. Throws `RangeError` on anything else.
 */
export function parseSchedule(text: string, timeZone = 'UTC'): Schedule {
  const { zone: name = timeZone, at } = parseCronSchedule(text);
  if (!isTimeZone(name)) throw new RangeError(`provided bad location ${name}: unknown time zone ${name}`);
  if ('everyMs' in at) return { nextMs: (afterMs) => Math.floor(afterMs / 1_000) * 1_000 + at.everyMs };
  const zone = new Zone(name);
  return { nextMs: (afterMs) => nextTimeMs(at, zone, afterMs) };
}

/** A moment as RFC 3339 has it in a zone. */
export function zonedTime(unixMs: number, timeZone = 'UTC'): string {
  const format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
  const name = format.formatToParts(unixMs).find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT';
  const [, sign = '+', hours = '0', minutes = '0'] = /GMT([+-])(\d\d):(\d\d)/.exec(name) ?? [];
  const offsetMinutes = (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1);
  const local = new Date(unixMs + offsetMinutes * 60_000).toISOString().slice(0, 19);
  return offsetMinutes === 0 ? `${local}Z` : `${local}${sign}${hours}:${minutes}`;
}
