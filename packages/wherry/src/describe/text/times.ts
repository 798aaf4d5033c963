import { systemClock } from '@wherry/clock';
import { age } from '@wherry/kubeapi/printers';

const days = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

const two = (number: number): string => `${number}`.padStart(2, '0');

/** A time where the user is: `Mon, 02 Jan 2006 15:04:05 -0700`; of none the first of all years, as Go has it. */
export function clockTime(time: string | undefined): string {
  if (!time) return 'Mon, 01 Jan 0001 00:00:00 +0000';
  const at = new Date(time);
  const day = `${days[at.getDay()]}, ${two(at.getDate())} ${months[at.getMonth()]} ${at.getFullYear()}`;
  return `${day} ${hours(at)} ${zone(at)}`;
}

/** A time as Go prints it: `2006-01-02 15:04:05 -0700 MST`. */
export function plainTime(time: string | undefined): string {
  if (!time) return '0001-01-01 00:00:00 +0000 UTC';
  const at = new Date(time);
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${day} ${hours(at)} ${zone(at)} ${zoneName(at)}`;
}

/** How long ago a time is. */
export const since = (time: string | undefined): string => age(time, systemClock.nowMs());

const hours = (at: Date): string => [at.getHours(), at.getMinutes(), at.getSeconds()].map(two).join(':');

function zone(at: Date): string {
  const minutes = -at.getTimezoneOffset();
  const size = Math.abs(minutes);
  return `${minutes < 0 ? '-' : '+'}${two(Math.trunc(size / 60))}${two(size % 60)}`;
}

/** Each knows short names of zones that lie where it is spoken. */
const locales = ['en-US', 'en-GB', 'en-IN', 'en-AU', 'en-NZ', 'en-ZA', 'en-HK', 'ja', 'id'];

/** `CET`; of a zone for which no locale has a short name how far it is from UTC, as of those that have none. */
function zoneName(at: Date): string {
  for (const locale of locales) {
    const parts = new Intl.DateTimeFormat(locale, { timeZoneName: 'short' }).formatToParts(at);
    const { value = '' } = parts.find(({ type }) => type === 'timeZoneName') ?? {};
    if (/^[A-Z]{3,4}$/.test(value)) return value;
  }
  return zone(at).replace(/00$/, '');
}
