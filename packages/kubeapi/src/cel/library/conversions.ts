/** Values of one type as those of another, and the fields of moments. */
import { declare, method, type Overload } from '../functions.ts';
import { bool, bytes, double, duration, int, string, timestamp, uint } from '../types.ts';
import {
  type ClockFields,
  clockFields,
  parseDuration,
  parseTimestamp,
  showDuration,
  showTimestamp,
} from '../values/time.ts';
import { CelError, Duration, Timestamp, type Uint, type Value } from '../values/value.ts';
import { intOf, uintOf } from './operators.ts';

const nanosPerSecond = 1_000_000_000n;
const floor = (nanos: bigint, by: bigint) => (nanos - (((nanos % by) + by) % by)) / by;
const trueWords = ['1', 't', 'T', 'TRUE', 'true', 'True'];
const falseWords = ['0', 'f', 'F', 'FALSE', 'false', 'False'];

function wholeOf(value: number, bound: (value: bigint) => Value): Value {
  if (!Number.isFinite(value) || Math.abs(value) >= 2 ** 64) return new CelError('integer overflow');
  return bound(BigInt(Math.trunc(value)));
}

const parseInteger = (bound: (value: bigint) => Value, to: string) => (text: string) => {
  const value = /^[-+]?\d+$/.test(text) ? bound(BigInt(text.replace('+', ''))) : undefined;
  if (value !== undefined && !(value instanceof CelError)) return value;
  const why = value === undefined ? 'invalid syntax' : 'value out of range';
  return new CelError(`strconv.Parse${to}: parsing ${JSON.stringify(text)}: ${why}`);
};

function parseDouble(text: string): Value {
  const value = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$|^[-+]?(?:inf(?:inity)?|nan)$/i.test(text)
    ? Number(text.replace(/inf(?:inity)?/i, 'Infinity').replace(/nan/i, 'NaN'))
    : undefined;
  return value ?? new CelError(`strconv.ParseFloat: parsing ${JSON.stringify(text)}: invalid syntax`);
}

function parseBool(text: string): Value {
  if (trueWords.includes(text)) return true;
  if (falseWords.includes(text)) return false;
  return new CelError(`strconv.ParseBool: parsing ${JSON.stringify(text)}: invalid syntax`);
}

/** As Go's `%v` of a float64, which has an exponent from a million on. */
export function showDouble(value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-4 || size >= 1e6))
    return value.toExponential().replace(/e([-+])(\d)$/, 'e$10$2');
  return String(value);
}

function decode(value: Uint8Array): Value {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(value);
  } catch {
    return new CelError('invalid UTF-8 in bytes, cannot convert to string');
  }
}

const same = (value: Value) => value;

const conversions: readonly Overload[] = [
  declare('bool', 'bool_to_bool', [bool], bool, same),
  declare('bool', 'string_to_bool', [string], bool, parseBool),
  declare('int', 'int64_to_int64', [int], int, same),
  declare('int', 'uint64_to_int64', [uint], int, ({ value }: Uint) => intOf(value)),
  declare('int', 'double_to_int64', [double], int, (value: number) => wholeOf(value, intOf)),
  declare('int', 'string_to_int64', [string], int, parseInteger(intOf, 'Int')),
  declare('int', 'timestamp_to_int64', [timestamp], int, ({ nanos }: Timestamp) =>
    floor(nanos, nanosPerSecond),
  ),
  declare('int', 'duration_to_int64', [duration], int, ({ nanos }: Duration) => nanos),
  declare('uint', 'uint64_to_uint64', [uint], uint, same),
  declare('uint', 'int64_to_uint64', [int], uint, uintOf),
  declare('uint', 'double_to_uint64', [double], uint, (value: number) => wholeOf(value, uintOf)),
  declare('uint', 'string_to_uint64', [string], uint, parseInteger(uintOf, 'Uint')),
  declare('double', 'double_to_double', [double], double, same),
  declare('double', 'int64_to_double', [int], double, (value: bigint) => Number(value)),
  declare('double', 'uint64_to_double', [uint], double, ({ value }: Uint) => Number(value)),
  declare('double', 'string_to_double', [string], double, parseDouble),
  declare('string', 'string_to_string', [string], string, same),
  declare('string', 'bool_to_string', [bool], string, (value: boolean) => String(value)),
  declare('string', 'int64_to_string', [int], string, (value: bigint) => String(value)),
  declare('string', 'uint64_to_string', [uint], string, ({ value }: Uint) => String(value)),
  declare('string', 'double_to_string', [double], string, showDouble),
  declare('string', 'bytes_to_string', [bytes], string, decode),
  declare('string', 'timestamp_to_string', [timestamp], string, showTimestamp),
  declare('string', 'duration_to_string', [duration], string, showDuration),
  declare('bytes', 'bytes_to_bytes', [bytes], bytes, same),
  declare('bytes', 'string_to_bytes', [string], bytes, (value: string) => new TextEncoder().encode(value)),
  declare('timestamp', 'timestamp_to_timestamp', [timestamp], timestamp, same),
  declare('timestamp', 'string_to_timestamp', [string], timestamp, parseTimestamp),
  declare(
    'timestamp',
    'int64_to_timestamp',
    [int],
    timestamp,
    (value: bigint) => new Timestamp(value * nanosPerSecond),
  ),
  declare('duration', 'duration_to_duration', [duration], duration, same),
  declare('duration', 'string_to_duration', [string], duration, parseDuration),
  declare('duration', 'int64_to_duration', [int], duration, (value: bigint) => new Duration(value)),
];

const fields: readonly (readonly [name: string, (fields: ClockFields) => number])[] = [
  ['getFullYear', ({ year }) => year],
  ['getMonth', ({ month }) => month],
  ['getDayOfYear', ({ yearDay }) => yearDay],
  ['getDayOfMonth', ({ day }) => day - 1],
  ['getDate', ({ day }) => day],
  ['getDayOfWeek', ({ weekday }) => weekday],
  ['getHours', ({ hour }) => hour],
  ['getMinutes', ({ minute }) => minute],
  ['getSeconds', ({ second }) => second],
  ['getMilliseconds', ({ millisecond }) => millisecond],
];

const moments: readonly Overload[] = fields.flatMap(([name, pick]) => {
  const get = (time: Timestamp, zone?: string): Value => {
    const found = clockFields(time, zone);
    return found ? BigInt(pick(found)) : new CelError(`unknown time zone ${zone}`);
  };
  return [
    method(name, `timestamp_${name}`, [timestamp], int, get),
    method(name, `timestamp_${name}_with_tz`, [timestamp, string], int, get),
  ];
});

const lengths: readonly (readonly [name: string, nanos: bigint])[] = [
  ['getHours', 3600n * nanosPerSecond],
  ['getMinutes', 60n * nanosPerSecond],
  ['getSeconds', nanosPerSecond],
  ['getMilliseconds', 1_000_000n],
];

const parts: readonly Overload[] = lengths.map(([name, unit]) =>
  method(name, `duration_${name}`, [duration], int, ({ nanos }: Duration) => nanos / unit),
);

export const conversionLibrary: readonly Overload[] = [...conversions, ...moments, ...parts];
