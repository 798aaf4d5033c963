/** Points in time as the API writes them: whole seconds (`Time`) or microseconds (`MicroTime`), always UTC. */

const rfc3339 = /^(\d{4})-(\d\d)-(\d\d)T(\d\d?):(\d\d):(\d\d)(?:[.,](\d+))?(Z|[+-]\d\d:\d\d)$/;
const canonical = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

/** A moment: whole seconds since 1970 and microseconds into that second. */
export interface Moment {
  seconds: number;
  micros: number;
}

/** Reads RFC 3339; undefined when the text is no time. Digits past microseconds are dropped. */
export function parseMoment(text: string): Moment | undefined {
  const match = rfc3339.exec(text);
  if (!match) return undefined;
  const [, year, month, day, hour, minute, second, fraction = '', zone = 'Z'] = match;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  if (zone !== 'Z' && (Number(zone.slice(1, 3)) > 24 || Number(zone.slice(4)) > 60)) return undefined;
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  if (date.getUTCMonth() !== Number(month) - 1 || date.getUTCDate() !== Number(day)) return undefined;
  date.setUTCHours(Number(hour), Number(minute), Number(second));
  const micros = Number(fraction.slice(0, 6).padEnd(6, '0'));
  return { seconds: date.getTime() / 1000 - zoneSeconds(zone), micros };
}

function zoneSeconds(zone: string): number {
  if (zone === 'Z') return 0;
  const seconds = Number(zone.slice(1, 3)) * 3600 + Number(zone.slice(4, 6)) * 60;
  return zone.startsWith('-') ? -seconds : seconds;
}

/** `2006-01-02T15:04:05Z`. */
export function formatTime(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`;
}

/** `2006-01-02T15:04:05.000000Z`. */
export function formatMicroTime({ seconds, micros }: Moment): string {
  return `${formatTime(seconds).slice(0, 19)}.${String(micros).padStart(6, '0')}Z`;
}

/** The same moment as `Time` prints it, or undefined when the text is no time. */
export function canonicalTime(text: string): string | undefined {
  const moment = parseMoment(text);
  if (!moment) return undefined;
  return canonical.test(text) ? text : formatTime(moment.seconds);
}

/** The same moment as `MicroTime` prints it, or undefined when the text is no time with six digits behind the second, as Go reads it. */
export function canonicalMicroTime(text: string): string | undefined {
  const moment = /:\d\d[.,]\d{6}(?!\d)/.test(text) ? parseMoment(text) : undefined;
  return moment && formatMicroTime(moment);
}

/** Now, or another moment in milliseconds since 1970, as `Time` prints it. */
export function timeFromMs(unixMs: number): string {
  return formatTime(Math.floor(unixMs / 1000));
}

/** A moment in milliseconds since 1970 as `MicroTime` prints it. */
export function microTimeFromMs(unixMs: number): string {
  const seconds = Math.floor(unixMs / 1000);
  return formatMicroTime({ seconds, micros: Math.round((unixMs - seconds * 1000) * 1000) });
}
