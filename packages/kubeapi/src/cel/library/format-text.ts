/** `"%s has %d".format([…])` (cel-go: ext/formatting). */

import { showDuration, showTimestamp } from '../values/time.ts';
import {
  CelError,
  CelList,
  CelMap,
  Duration,
  isError,
  Timestamp,
  TypeValue,
  typeNameOf,
  Uint,
  type Value,
} from '../values/value.ts';
import { showDouble } from './conversions.ts';

class FormatError extends Error {}

const precisionMax = 100;

export function formatText(pattern: string, args: CelList): Value {
  let next = 0;
  try {
    return pattern.replace(
      /%(%|(?:\.(\d*))?(.)|$)/gsu,
      (_all, whole: string, precision?: string, verb?: string) => {
        if (whole === '%') return '%';
        if (verb === undefined) throw new FormatError('unexpected end of string');
        if (next >= args.size) throw new FormatError(`index ${next} out of range`);
        const value = args.at(next);
        next += 1;
        return shownAs(verb, value, precision === undefined ? undefined : Number(precision));
      },
    );
  } catch (error) {
    if (error instanceof FormatError) return new CelError(error.message);
    throw error;
  }
}

function shownAs(verb: string, value: Value, precision: number | undefined): string {
  if (isError(value)) throw new FormatError(value.message);
  if (precision !== undefined && precision > precisionMax)
    throw new FormatError(`error parsing precision: precision ${precision} is too large`);
  switch (verb) {
    case 's':
      return shownText(value);
    case 'd':
      return shownDecimal(value);
    case 'f':
      return shownFloat(value, (number) => number.toFixed(precision ?? 6));
    case 'e':
      return shownFloat(value, (number) => scientific(number, precision ?? 6));
    case 'b':
      return shownBinary(value);
    case 'x':
    case 'X':
      return shownHex(value, verb === 'X');
    case 'o':
      return shownInteger(value, 8, 'octal');
    default:
      throw new FormatError(`could not parse formatting clause: unrecognized formatting clause "${verb}"`);
  }
}

function shownText(value: Value): string {
  if (typeof value === 'string') return value;
  if (value === null) return 'null';
  if (typeof value === 'number') return showDouble(value);
  if (typeof value !== 'object') return String(value);
  if (value instanceof Uint) return String(value.value);
  if (value instanceof Uint8Array) return new TextDecoder().decode(value);
  if (value instanceof Timestamp) return showTimestamp(value);
  if (value instanceof Duration) return showDuration(value);
  if (value instanceof TypeValue) return value.name;
  if (value instanceof CelList) return `[${[...value].map(shownPart).join(', ')}]`;
  if (value instanceof CelMap) return shownMap(value);
  throw new FormatError(
    `error during formatting: string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps, was given ${typeNameOf(value)}`,
  );
}

/** Within lists and maps texts stand in quotes. */
function shownPart(value: Value): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (value instanceof Timestamp) return `timestamp("${shownText(value)}")`;
  if (value instanceof Duration) return `duration("${shownText(value)}")`;
  return shownText(value);
}

const raised = [...'⁰¹²³⁴⁵⁶⁷⁸⁹'];

/** `1.2×10⁰³`. */
function scientific(value: number, precision: number): string {
  const [digits = '', power = ''] = value.toExponential(precision).split('e');
  const shown = power
    .slice(1)
    .padStart(2, '0')
    .replace(/\d/g, (digit) => raised[Number(digit)]!);
  return `${digits}×10${power.startsWith('-') ? '⁻' : ''}${shown}`;
}

function shownMap(map: CelMap): string {
  const entries = [...map.keys()].map((key) => [shownPart(key), shownPart(map.get(key)!)] as const);
  const sorted = entries.sort(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0));
  return `{${sorted.map(([key, value]) => `${key}:${value}`).join(', ')}}`;
}

function shownDecimal(value: Value): string {
  if (typeof value === 'bigint') return String(value);
  if (value instanceof Uint) return String(value.value);
  if (typeof value === 'number') return showDouble(value);
  throw new FormatError(
    `error during formatting: decimal clause can only be used on integers, was given ${typeNameOf(value)}`,
  );
}

function shownFloat(value: Value, show: (value: number) => string): string {
  const number =
    typeof value === 'bigint' ? Number(value) : value instanceof Uint ? Number(value.value) : value;
  if (typeof number !== 'number')
    throw new FormatError(
      `error during formatting: fixed-point clause can only be used on doubles, was given ${typeNameOf(value)}`,
    );
  if (!Number.isFinite(number)) return Number.isNaN(number) ? 'NaN' : number > 0 ? 'Infinity' : '-Infinity';
  return show(number);
}

function shownBinary(value: Value): string {
  if (typeof value === 'boolean') return value ? '1' : '0';
  return shownInteger(value, 2, 'only integers and bools can be formatted as binary');
}

function shownInteger(value: Value, base: number, what: string): string {
  if (typeof value === 'bigint') return value.toString(base);
  if (value instanceof Uint) return value.value.toString(base);
  throw new FormatError(
    `error during formatting: ${what} clause can only be used on integers, was given ${typeNameOf(value)}`,
  );
}

function shownHex(value: Value, isUpper: boolean): string {
  const bytes = typeof value === 'string' ? new TextEncoder().encode(value) : value;
  const text =
    bytes instanceof Uint8Array
      ? [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
      : shownInteger(value, 16, 'hex');
  return isUpper ? text.toUpperCase() : text;
}
