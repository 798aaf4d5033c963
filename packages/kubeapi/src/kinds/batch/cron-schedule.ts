/** The five fields of a schedule, as upstream's library reads them (robfig/cron, ParseStandard). */

interface CronField {
  low: number;
  high: number;
  names: readonly string[];
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const days = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const fields: readonly CronField[] = [
  { low: 0, high: 59, names: [] },
  { low: 0, high: 23, names: [] },
  { low: 1, high: 31, names: [] },
  { low: 1, high: 12, names: months },
  { low: 0, high: 6, names: days },
];
const macro = /^@(yearly|annually|monthly|weekly|daily|midnight|hourly)$/;
const every = /^@every [-+]?(\d+(\.\d*)?(ns|us|µs|ms|s|m|h))+$/;

/** What is wrong with a schedule; undefined where nothing is. */
export function scheduleComplaint(schedule: string): string | undefined {
  const text = schedule.replace(/^(CRON_)?TZ=\S* /, '').trim();
  if (macro.test(text) || every.test(text)) return undefined;
  if (text.startsWith('@')) return `unrecognized descriptor: ${text}`;
  const parts = text.split(/\s+/);
  if (text === '' || parts.length !== fields.length) {
    return `expected exactly 5 fields, found ${text === '' ? 0 : parts.length}: [${text}]`;
  }
  for (const [index, part] of parts.entries()) {
    const bad = part.split(',').find((range) => range !== '' && !isRange(range, fields[index]!));
    if (bad !== undefined) return `failed to parse "${bad}"`;
  }
  return undefined;
}

function isRange(text: string, field: CronField): boolean {
  const [range = '', step, ...rest] = text.split('/');
  if (rest.length > 0 || (step !== undefined && !(/^\d+$/.test(step) && Number(step) > 0))) return false;
  const [first = '', last, ...more] = range.split('-');
  if (more.length > 0) return false;
  if (first === '*' || first === '?') return last === undefined;
  const low = numberOf(first, field);
  const high = last === undefined ? low : numberOf(last, field);
  return low !== undefined && high !== undefined && low >= field.low && high <= field.high && low <= high;
}

function numberOf(text: string, { low, names }: CronField): number | undefined {
  const named = names.indexOf(text.toLowerCase());
  if (named >= 0) return named + low;
  return /^\d+$/.test(text) ? Number(text) : undefined;
}
