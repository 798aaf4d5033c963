/**
 * JSON whose whole numbers keep all their digits, as upstream's does: those that a double can't hold and 64 bits can are `bigint`
 * in memory. Text without a number that long is left to JSON.parse and JSON.stringify.
 */
import type { JsonValue } from './json-value.ts';

/** Below it a double holds every whole number. */
const exactDigits = 15;

const [least, most] = [-(2n ** 63n), 2n ** 63n - 1n];

/** Reads JSON; throws a SyntaxError as JSON.parse does, also on what is nested a thousand deep and more beside a long number. */
export function parseExactJson(text: string): JsonValue {
  if (!hasLongNumber(text)) return JSON.parse(text);
  try {
    return JSON.parse(text, exactNumber);
  } catch (error) {
    if (error instanceof RangeError) throw new SyntaxError('nested too deep', { cause: error });
    throw error;
  }
}

/** Writes JSON, with `indent` in lines. */
export function exactJson(value: unknown, indent?: number | string): string {
  try {
    return JSON.stringify(value, undefined, indent);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return JSON.stringify(value, rawNumber, indent);
  }
}

/** The number that a whole number's digits say, if a double holds it or 64 bits don't. */
export function exactWhole(digits: string | bigint): number | bigint {
  const value = Number(digits);
  if (Number.isSafeInteger(value)) return value;
  const whole = BigInt(digits);
  return whole >= least && whole <= most ? whole : value;
}

function exactNumber(_key: string, value: JsonValue, context?: { source?: string }): JsonValue {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value;
  const { source = '' } = context ?? {};
  return /^-?\d+$/.test(source) ? exactWhole(source) : value;
}

const { rawJSON = Number } = JSON as { rawJSON?: (text: string) => unknown };

const rawNumber = (_key: string, value: unknown): unknown =>
  typeof value === 'bigint' ? rawJSON(String(value)) : value;

/** Whether so many digits stand side by side where a value may begin. Looks at each sixteenth character only. */
function hasLongNumber(text: string): boolean {
  const step = exactDigits + 1;
  for (let at = exactDigits; at < text.length; at += step) {
    if (!isDigit(text, at)) continue;
    let start = at;
    while (isDigit(text, start - 1)) start -= 1;
    let end = at + 1;
    while (isDigit(text, end)) end += 1;
    if (end - start >= step && beginsValue.has(text[start - 1])) return true;
    at = Math.max(at, end - (end % step) - 1);
  }
  return false;
}

const beginsValue = new Set<string | undefined>([undefined, ':', ',', '[', '-', ' ', '\n', '\t', '\r']);

function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0x30 && code <= 0x39;
}
