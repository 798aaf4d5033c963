/** What a plain scalar is, as Go's YAML library decides it (go-yaml resolve.go). */

import { withoutTrailing } from '../values/trimmed.ts';

/** What a scalar is. */
export type YamlTag = '!!str' | '!!int' | '!!float' | '!!bool' | '!!null' | '!!timestamp' | '!!binary';

/** What a plain text stands for. */
export interface PlainScalar {
  tag: YamlTag;
  value: string | number | bigint | boolean | null;
}

const words: ReadonlyMap<string, PlainScalar> = new Map([
  ...['true', 'True', 'TRUE'].map((word): [string, PlainScalar] => [word, { tag: '!!bool', value: true }]),
  ...['false', 'False', 'FALSE'].map((word): [string, PlainScalar] => [
    word,
    { tag: '!!bool', value: false },
  ]),
  ...['', '~', 'null', 'Null', 'NULL'].map((word): [string, PlainScalar] => [
    word,
    { tag: '!!null', value: null },
  ]),
  ...['.nan', '.NaN', '.NAN'].map((word): [string, PlainScalar] => [
    word,
    { tag: '!!float', value: Number.NaN },
  ]),
  ...['.inf', '.Inf', '.INF', '+.inf', '+.Inf', '+.INF'].map((word): [string, PlainScalar] => [
    word,
    { tag: '!!float', value: Number.POSITIVE_INFINITY },
  ]),
  ...['-.inf', '-.Inf', '-.INF'].map((word): [string, PlainScalar] => [
    word,
    { tag: '!!float', value: Number.NEGATIVE_INFINITY },
  ]),
]);

const yes = /^(?:y|Y|yes|Yes|YES|on|On|ON)$/;
const no = /^(?:n|N|no|No|NO|off|Off|OFF)$/;
const sexagesimal = /^[-+]?\d[\d_]*(?::[0-5]?\d)+(?:\.[\d_]*)?$/;
const float = /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/;
const day = /^(\d{4})-(\d{1,2})-(\d{1,2})$/;
const moment =
  /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[Tt](\d{1,2}):(\d{1,2}):(\d{1,2})(?:[.,](\d+))?(Z|[-+]\d{2}:\d{2})|[ ](\d{1,2}):(\d{1,2}):(\d{1,2})(?:[.,](\d+))?)$/;

/** Resolves a text that stands there without quotes. */
export function readPlainScalar(text: string): PlainScalar {
  const known = words.get(text);
  if (known) return known;
  const asText: PlainScalar = { tag: '!!str', value: text };
  if (/^\./.test(text)) return floatOf(text) ?? asText;
  if (!/^[-+\d]/.test(text)) return asText;
  const time = timeOf(text);
  if (time !== undefined) return { tag: '!!timestamp', value: time };
  const plain = text.replaceAll('_', '');
  const integer = integerOf(plain);
  if (integer !== undefined) return { tag: '!!int', value: integer };
  return floatOf(plain) ?? asText;
}

/** What is too large for a float is a text. */
function floatOf(text: string): PlainScalar | undefined {
  const value = Number(text);
  return float.test(text) && Number.isFinite(value) ? { tag: '!!float', value } : undefined;
}

/** What YAML 1.1 has besides `true` and `false`; undefined for other texts. */
export function isYesOrNo(text: string): boolean | undefined {
  if (yes.test(text)) return true;
  return no.test(text) ? false : undefined;
}

/** True for a text that a reader of YAML 1.1 would take for something else unless it stands in quotes. */
export const needsQuotes = (text: string): boolean =>
  isYesOrNo(text) !== undefined || sexagesimal.test(text) || readPlainScalar(text).tag !== '!!str';

/** Longer ones are no integers, whatever their base. */
const digitsMax = 1_000;
const int64 = [-(2n ** 63n), 2n ** 64n - 1n] as const;

function integerOf(plain: string): bigint | undefined {
  const [, sign = '', prefix = '', digits = ''] =
    /^([-+]?)(0[xX]|0[bB]|0[oO]|0(?=\d))?(\w+)$/.exec(plain) ?? [];
  const kind = prefix.toLowerCase();
  const [base, allowed] =
    kind === '0x'
      ? ['0x', /^[\da-f]+$/i]
      : kind === '0b'
        ? ['0b', /^[01]+$/]
        : kind === ''
          ? ['', /^\d+$/]
          : ['0o', /^[0-7]+$/];
  if (digits.length > digitsMax || !(allowed as RegExp).test(digits)) return undefined;
  const size = BigInt(`${base}${digits}`);
  const value = sign === '-' ? -size : size;
  return value >= int64[0] && value <= int64[1] && !(sign !== '' && value > int64[1] / 2n)
    ? value
    : undefined;
}

/** The moment as JSON has it. */
function timeOf(text: string): string | undefined {
  const date = day.exec(text);
  if (date) return validMoment([...date.slice(1, 4), '0', '0', '0'], '', 'Z');
  const parts = moment.exec(text);
  if (!parts) return undefined;
  const [, year, month, dayOfMonth, h, m, s, fraction, zone, hour, minute, second, part] = parts;
  const clock = h === undefined ? [hour, minute, second] : [h, m, s];
  return validMoment(
    [year, month, dayOfMonth, ...clock].map((one) => one ?? '0'),
    withoutTrailing(fraction ?? part ?? '', '0'),
    zone === undefined || /^[-+]00:00$/.test(zone) ? 'Z' : zone,
  );
}

function validMoment(fields: string[], fraction: string, zone: string): string | undefined {
  const [year = 0, month = 0, date = 0, hour = 0, minute = 0, second = 0] = fields.map(Number);
  const days = new Date(Date.UTC(year, month, 0)).getUTCDate();
  if (month < 1 || month > 12 || date < 1 || date > days || hour > 23 || minute > 59 || second > 59)
    return undefined;
  const two = (value: number) => String(value).padStart(2, '0');
  const clock = `${two(hour)}:${two(minute)}:${two(second)}${fraction === '' ? '' : `.${fraction}`}`;
  return `${fields[0]}-${two(month)}-${two(date)}T${clock}${zone}`;
}
