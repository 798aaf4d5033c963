/** Moments and lengths of time as CEL reads, shows and takes them apart. */
import { withoutTrailing } from '../../values/trimmed.ts';
import { CelError, Duration, Timestamp } from './value.ts';

const nanosPerSecond = 1_000_000_000n;
const unitNanos: ReadonlyMap<string, bigint> = new Map(
  Object.entries({
    ...{ ns: 1n, us: 1000n, µs: 1000n, μs: 1000n, ms: 1_000_000n, s: nanosPerSecond },
    ...{ m: 60n * nanosPerSecond, h: 3600n * nanosPerSecond },
  }),
);
const durationMax = 2n ** 63n - 1n;
/** 0001-01-01T00:00:00Z and 9999-12-31T23:59:59.999999999Z. */
export const timestampMin = -62_135_596_800n * nanosPerSecond;
export const timestampMax = 253_402_300_800n * nanosPerSecond - 1n;

/** `1h30m`, `-1.5s`, as Go reads them. */
export function parseDuration(text: string): Duration | CelError {
  const wrong = new CelError(`time: invalid duration ${JSON.stringify(text)}`);
  const found = /^([-+]?)((?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+|0)$/.exec(text);
  if (!found) return wrong;
  const [, sign, parts = ''] = found;
  let nanos = 0n;
  for (const [, whole = '', fraction = '', unit = ''] of parts.matchAll(/(\d*)\.?(\d*)([a-zµμ]+)/g)) {
    const scale = unitNanos.get(unit)!;
    const shown = fraction.slice(0, 18);
    nanos += BigInt(whole || '0') * scale + (BigInt(shown || '0') * scale) / 10n ** BigInt(shown.length);
  }
  if (nanos > durationMax) return wrong;
  return new Duration(sign === '-' ? -nanos : nanos);
}

/** RFC 3339. */
export function parseTimestamp(text: string): Timestamp | CelError {
  const wrong = new CelError(
    `parsing time ${JSON.stringify(text)} as "2006-01-02T15:04:05Z07:00": cannot parse`,
  );
  const found = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:[.,](\d+))?(Z|[-+]\d\d:\d\d)$/.exec(text);
  if (!found) return wrong;
  const [, year, month, day, hour, minute, second, fraction = '', zone = 'Z'] = found;
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  date.setUTCHours(Number(hour), Number(minute), Number(second));
  const isReal =
    date.getUTCMonth() === Number(month) - 1 &&
    date.getUTCDate() === Number(day) &&
    Number(hour) < 24 &&
    Number(minute) < 60 &&
    Number(second) < 60;
  if (!isReal) return wrong;
  const sign = zone.startsWith('-') ? -1n : 1n;
  const offset =
    zone === 'Z' ? 0n : sign * (BigInt(zone.slice(1, 3)) * 3600n + BigInt(zone.slice(4, 6)) * 60n);
  const nanos = BigInt(fraction.slice(0, 9).padEnd(9, '0'));
  const whole = (BigInt(date.getTime() / 1000) - offset) * nanosPerSecond + nanos;
  if (whole < timestampMin || whole > timestampMax) return new CelError('timestamp overflow');
  return new Timestamp(whole);
}

/** `2024-01-02T03:04:05.6Z`. */
export function showTimestamp({ nanos }: Timestamp): string {
  const fraction = modulo(nanos, nanosPerSecond);
  const seconds = (nanos - fraction) / nanosPerSecond;
  const digits = fraction === 0n ? '' : `.${withoutTrailing(fraction.toString().padStart(9, '0'), '0')}`;
  return `${new Date(Number(seconds) * 1000).toISOString().slice(0, 19)}${digits}Z`;
}

/** `90s`, `0.5s`. */
export function showDuration({ nanos }: Duration): string {
  const size = nanos < 0n ? -nanos : nanos;
  const fraction = size % nanosPerSecond;
  const digits = fraction === 0n ? '' : `.${withoutTrailing(fraction.toString().padStart(9, '0'), '0')}`;
  return `${nanos < 0n ? '-' : ''}${size / nanosPerSecond}${digits}s`;
}

function modulo(value: bigint, by: bigint): bigint {
  const rest = value % by;
  return rest < 0n ? rest + by : rest;
}

/** Fields of a moment on the calendar and the clock of a place. */
export interface ClockFields {
  year: number;
  /** From 0 on. */
  month: number;
  /** From 1 on. */
  day: number;
  hour: number;
  minute: number;
  second: number;
  /** 0 is Sunday. */
  weekday: number;
  /** From 0 on. */
  yearDay: number;
  millisecond: number;
}

/** In a zone of IANA's names or `+02:00`; UTC without one. Undefined: there is no such zone. */
export function clockFields({ nanos }: Timestamp, zone = 'UTC'): ClockFields | undefined {
  const offsetMs = zoneOffsetMs(nanos, zone);
  if (offsetMs === undefined) return undefined;
  const ms = Number((nanos - modulo(nanos, 1_000_000n)) / 1_000_000n);
  const local = new Date(ms + offsetMs);
  const yearStart = new Date(0);
  yearStart.setUTCFullYear(local.getUTCFullYear(), 0, 1);
  return {
    ...{ year: local.getUTCFullYear(), month: local.getUTCMonth(), day: local.getUTCDate() },
    ...{ hour: local.getUTCHours(), minute: local.getUTCMinutes(), second: local.getUTCSeconds() },
    weekday: local.getUTCDay(),
    yearDay: Math.floor((local.getTime() - yearStart.getTime()) / 86_400_000),
    millisecond: local.getUTCMilliseconds(),
  };
}

function zoneOffsetMs(nanos: bigint, zone: string): number | undefined {
  const fixed = /^([-+]?)(\d\d):(\d\d)$/.exec(zone);
  if (fixed) return (fixed[1] === '-' ? -1 : 1) * (Number(fixed[2]) * 60 + Number(fixed[3])) * 60_000;
  if (zone === 'UTC' || zone === '') return 0;
  try {
    const ms = Number(nanos / 1_000_000n);
    const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
    const name = format.formatToParts(ms).find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT';
    const found = /^GMT(?:([-+])(\d\d):(\d\d)(?::(\d\d))?)?$/.exec(name);
    if (!found) return undefined;
    const [, sign = '+', hours = '0', minutes = '0', seconds = '0'] = found;
    return (sign === '-' ? -1 : 1) * ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
  } catch {
    return undefined;
  }
}
