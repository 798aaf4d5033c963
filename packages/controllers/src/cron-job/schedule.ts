import { Cron } from 'croner';

/** When a cron job is due. */
export interface Schedule {
  /** The first time after that one, both in milliseconds since 1970; infinite when there is none. */
  nextMs(afterMs: number): number;
}

const unitsMs = new Map([
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
  ['ms', 1],
]);
const fields = /^\s*(?:[\dA-Za-z*?,/-]+\s+){4}[\dA-Za-z*?,/-]+\s*$/;
const nicknames = /^@(?:yearly|annually|monthly|weekly|daily|midnight|hourly)$/;

/** The zone that a schedule itself names, as upstream still takes it, and what follows. */
const zonePrefix = /^(?:CRON_)?TZ=(\S+)\s+(.*)$/;

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
 * Reads five cron fields, `@hourly` and its like, or `@every 1h30m`. Default zone: UTC. Throws `RangeError` on anything
 * else. A day is due when it fits the month's day or the week's, where both are given.
 */
export function parseSchedule(text: string, timeZone = 'UTC'): Schedule {
  const [, ownZone = timeZone, rest = text] = zonePrefix.exec(text) ?? [];
  const every = /^@every\s+((?:\d+(?:\.\d+)?(?:h|ms|m|s))+)$/.exec(rest)?.[1];
  if (every !== undefined) return everySchedule(every);
  const isPlain = fields.test(rest) && !/\d[LW]|^\s*L|\sL\b/.test(rest);
  if (!isPlain && !nicknames.test(rest))
    throw new RangeError(`"${text}" is no schedule; use five fields, @hourly or @every 1h`);
  const pattern = rest.trim().replaceAll('?', '*').replace('@midnight', '@daily');
  let cron: Cron;
  try {
    cron = new Cron(pattern, { timezone: ownZone, paused: true });
  } catch (error) {
    throw new RangeError(
      `"${text}" is no schedule: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  return { nextMs: (afterMs) => cron.nextRun(new Date(afterMs))?.getTime() ?? Number.POSITIVE_INFINITY };
}

function everySchedule(text: string): Schedule {
  let totalMs = 0;
  for (const [, amount, unit = ''] of text.matchAll(/(\d+(?:\.\d+)?)(h|ms|m|s)/g))
    totalMs += Number(amount) * (unitsMs.get(unit) ?? 0);
  const stepMs = Math.max(1_000, Math.floor(totalMs / 1_000) * 1_000);
  return { nextMs: (afterMs) => Math.floor(afterMs / 1_000) * 1_000 + stepMs };
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
