/** Schedules as upstream's library reads them, and with its complaints (robfig/cron, ParseStandard). */

import { parseDurationMs } from '../../values/duration.ts';

/** Times of a clock: all five must fit. */
export interface CronFields {
  minutes: ReadonlySet<number>;
  hours: ReadonlySet<number>;
  /** Of the month, from 1 on. */
  days: ReadonlySet<number>;
  /** From 1 on. */
  months: ReadonlySet<number>;
  /** From 0 on, which is Sunday. */
  weekdays: ReadonlySet<number>;
  /** Whether a day has to be in both `days` and `weekdays`, as one of them begins with a star; else one is enough. */
  needsBothDays: boolean;
}

/** What a schedule says: times of a clock, or a distance in milliseconds. */
export interface CronSchedule {
  /** The zone that the schedule itself names. */
  zone?: string;
  at: CronFields | { everyMs: number };
}

interface CronField {
  low: number;
  high: number;
  names: readonly string[];
}

const monthNames = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const dayNames = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const fields = [
  { low: 0, high: 59, names: [] },
  { low: 0, high: 23, names: [] },
  { low: 1, high: 31, names: [] },
  { low: 1, high: 12, names: monthNames },
  { low: 0, high: 6, names: dayNames },
] as const satisfies readonly CronField[];

const macros: ReadonlyMap<string, string> = new Map([
  ['@yearly', '0 0 1 1 *'],
  ['@annually', '0 0 1 1 *'],
  ['@monthly', '0 0 1 * *'],
  ['@weekly', '0 0 * * 0'],
  ['@daily', '0 0 * * *'],
  ['@midnight', '0 0 * * *'],
  ['@hourly', '0 * * * *'],
]);
const everyPrefix = '@every ';

/** What is wrong with a schedule; undefined where nothing is. Zones are not looked up. */
export function scheduleComplaint(schedule: string): string | undefined {
  try {
    parseCronSchedule(schedule);
    return undefined;
  } catch (error) {
    if (error instanceof RangeError) return error.message;
    throw error;
  }
}

/** Reads a schedule. Throws `RangeError` with upstream's complaint. */
export function parseCronSchedule(schedule: string): CronSchedule {
  if (schedule === '') throw new RangeError('empty spec string');
  const [, zone, rest] = /^(?:CRON_)?TZ=([^ ]*) (.*)$/s.exec(schedule) ?? [];
  if (zone === undefined && /^(?:CRON_)?TZ=/.test(schedule))
    throw new RangeError('invalid schedule format: nothing follows the zone');
  const at = parseTimes(rest === undefined ? schedule : rest.trim());
  return zone === undefined ? { at } : { zone, at };
}

function parseTimes(text: string): CronSchedule['at'] {
  if (text.startsWith(everyPrefix)) return { everyMs: parseEvery(text.slice(everyPrefix.length), text) };
  const macro = macros.get(text);
  if (text.startsWith('@') && macro === undefined) throw new RangeError(`unrecognized descriptor: ${text}`);
  const parts = (macro ?? text).split(/\s+/).filter((part) => part !== '');
  if (parts.length !== fields.length)
    throw new RangeError(`expected exactly 5 fields, found ${parts.length}: [${parts.join(' ')}]`);
  const [minutes, hours, days, months, weekdays] = fields.map((field, index) =>
    parseField(parts[index]!, field),
  ) as [ParsedField, ParsedField, ParsedField, ParsedField, ParsedField];
  return {
    ...{ minutes: minutes.values, hours: hours.values, days: days.values },
    ...{ months: months.values, weekdays: weekdays.values },
    needsBothDays: days.isStar || weekdays.isStar,
  };
}

/** Less than a second is one, and parts of one are left out. */
function parseEvery(text: string, whole: string): number {
  let everyMs: number;
  try {
    everyMs = parseDurationMs(text);
  } catch (error) {
    throw new RangeError(`failed to parse duration ${whole}: ${(error as Error).message}`);
  }
  return Math.max(1_000, Math.floor(everyMs / 1_000) * 1_000);
}

interface ParsedField {
  values: Set<number>;
  isStar: boolean;
}

function parseField(text: string, field: CronField): ParsedField {
  const ranges = text
    .split(',')
    .filter((each) => each !== '')
    .map((each) => parseRange(each, field));
  return {
    values: new Set(ranges.flatMap(({ values }) => [...values])),
    isStar: ranges.some(({ isStar }) => isStar),
  };
}

function parseRange(text: string, field: CronField): ParsedField {
  const [range = '', stepText, ...moreSteps] = text.split('/');
  const [first = '', last, ...moreEnds] = range.split('-');
  const isAll = first === '*' || first === '?';
  if (!isAll && moreEnds.length > 0) throw new RangeError(`too many hyphens: ${text}`);
  const start = isAll ? field.low : numberOf(first, field);
  // A step after a single number goes on to the end.
  const isOpen = isAll || (last === undefined && stepText !== undefined);
  const end = isOpen ? field.high : last === undefined ? start : numberOf(last, field);
  if (moreSteps.length > 0) throw new RangeError(`too many slashes: ${text}`);
  const step = stepText === undefined ? 1 : integerOf(stepText);
  if (start < field.low)
    throw new RangeError(`beginning of range (${start}) below minimum (${field.low}): ${text}`);
  if (end > field.high) throw new RangeError(`end of range (${end}) above maximum (${field.high}): ${text}`);
  if (start > end)
    throw new RangeError(`beginning of range (${start}) beyond end of range (${end}): ${text}`);
  if (step === 0) throw new RangeError(`step of range should be a positive number: ${text}`);
  const values = new Set<number>();
  for (let value = start; value <= end; value += step) values.add(value);
  return { values, isStar: isAll && step === 1 };
}

function numberOf(text: string, { low, names }: CronField): number {
  const named = names.indexOf(text.toLowerCase());
  return named >= 0 ? named + low : integerOf(text);
}

function integerOf(text: string): number {
  const value = /^[+-]?\d+$/.test(text) ? Number(text) : undefined;
  if (value !== undefined && value < 0)
    throw new RangeError(`negative number (${text}) not allowed: ${text}`);
  if (value !== undefined && Number.isSafeInteger(value)) return value;
  const why = value === undefined ? 'invalid syntax' : 'value out of range';
  throw new RangeError(
    `failed to parse int from ${text}: strconv.Atoi: parsing ${JSON.stringify(text)}: ${why}`,
  );
}
