/** The formats of texts that schemas name, as upstream reads them (kube-openapi: pkg/validation/strfmt). */

import type { JSONSchemaProps } from '../generated/types.ts';
import { ownValue } from '../json/json-value.ts';
import { dnsLabel, dnsSubdomain } from '../validation/formats.ts';
import { familyOf } from '../values/ip-address.ts';

type FormatTest = (text: string) => boolean;

const octet = '(?:0|[1-9]\\d?|1\\d\\d|2[0-4]\\d|25[0-5])';
const rgb = new RegExp(`^rgb\\(\\s*${octet}\\s*,\\s*${octet}\\s*,\\s*${octet}\\s*\\)$`);
const card =
  /^(?:4\d{12}(?:\d{3})?|5[1-5]\d{14}|6(?:011|5\d\d)\d{12}|3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11}|(?:2131|1800|35\d{3})\d{11})$/;
const dateTime = /^\d{4}-\d{2}-\d{2}[Tt](?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:.\d+)?(?:[Zz]|[+-]\d{2}:\d{2})$/;
const symbol = 'a-zA-Z0-9\\p{S}\\p{L}';
const hostname = new RegExp(
  `^(?:[${symbol}](?:-?[${symbol}]{0,62})?|(?:[${symbol}](?:[${symbol}-]{0,61}[${symbol}])?\\.)+[a-zA-Z\\p{L}]{2,63})$`,
  'u',
);

const tests: Readonly<Record<string, FormatTest>> = {
  bsonobjectid: matching(/^[0-9a-fA-F]{24}$/),
  uri: isUri,
  email: matching(/^(?:[^<>@\s"(),:;]+|"[^"]*")@[^<>@\s"(),:;]+$|^[^<>]*<[^<>@\s]+@[^<>@\s]+>$/),
  hostname: isHostname,
  ipv4: isSloppyIpv4,
  ipv6: isIpv6,
  cidr: isCidr,
  mac: isMac,
  uuid: matching(/^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i),
  uuid3: matching(/^[0-9a-f]{8}-?[0-9a-f]{4}-?3[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i),
  uuid4: matching(/^[0-9a-f]{8}-?[0-9a-f]{4}-?4[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i),
  uuid5: matching(/^[0-9a-f]{8}-?[0-9a-f]{4}-?5[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i),
  isbn: (text) => isIsbn10(text) || isIsbn13(text),
  isbn10: isIsbn10,
  isbn13: isIsbn13,
  creditcard: isCreditCard,
  ssn: (text) => text.length === 11 && /^\d{3}[- ]?\d{2}[- ]?\d{4}$/.test(text),
  hexcolor: matching(/^#?(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/),
  rgbcolor: matching(rgb),
  byte: matching(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$/),
  password: () => true,
  date: isDate,
  duration: isDuration,
  datetime: (text) => dateTime.test(text) && isDate(text.slice(0, 10)),
  k8sshortname: (text) => dnsLabel(text).length === 0,
  k8slongname: (text) => dnsSubdomain(text).length === 0,
};

/** The format under which {@link hasFormat} knows it; others are not looked at, and nor are those of other types. */
export function knownFormat({ type = '', format = '' }: JSONSchemaProps): string | undefined {
  const name = format.replaceAll('-', '');
  return (type === '' || type === 'string') && Object.hasOwn(tests, name) ? name : undefined;
}

/** False for a format that is looked at nowhere: upstream warns of it. */
export function isRecognizedFormat(words: JSONSchemaProps): boolean {
  const { type = '', format = '' } = words;
  if (type === 'integer') return format === 'int32' || format === 'int64';
  if (type === 'number') return format === 'float' || format === 'double';
  return knownFormat(words) !== undefined;
}

/** True for a text of a known format. */
export function hasFormat(text: string, format: string): boolean {
  return ownValue(tests, format)?.(text) ?? true;
}

function matching(pattern: RegExp): FormatTest {
  return (text) => pattern.test(text);
}

/** An absolute address, or a path. */
function isUri(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  if (/[\u0000-\u001f\u007f]/.test(text) || /%(?![0-9a-fA-F]{2})/.test(text)) return false;
  return text.startsWith('/') || /^[a-zA-Z][a-zA-Z0-9+.-]*:./.test(text);
}

function isHostname(text: string): boolean {
  if (Buffer.byteLength(text) > 255 || !hostname.test(text)) return false;
  return text.split('.').every((label) => Buffer.byteLength(label) <= 63);
}

function isIpv6(text: string): boolean {
  return familyOf(text) === 6 && !text.includes('%');
}

/** With leading zeros too. */
function isSloppyIpv4(text: string): boolean {
  const parts = text.split('.');
  if (text.includes(':')) return isIpv6(text) && parts.length === 4;
  return parts.length === 4 && parts.every((part) => /^\d{1,8}$/.test(part) && Number(part) <= 255);
}

function isCidr(text: string): boolean {
  const [address = '', bits = '', ...rest] = text.split('/');
  if (rest.length > 0 || !/^\d{1,3}$/.test(bits)) return false;
  const isFour = !address.includes(':');
  return (isFour ? isSloppyIpv4(address) : isIpv6(address)) && Number(bits) <= (isFour ? 32 : 128);
}

function isMac(text: string): boolean {
  const octets = '[0-9a-fA-F]{2}';
  const words = '[0-9a-fA-F]{4}';
  return [5, 7, 19].some(
    (more) =>
      new RegExp(`^${octets}(?::${octets}){${more}}$|^${octets}(?:-${octets}){${more}}$`).test(text) ||
      new RegExp(`^${words}(?:\\.${words}){${(more + 1) / 2 - 1}}$`).test(text),
  );
}

function isIsbn10(text: string): boolean {
  const digits = text.replace(/[\s-]+/g, '');
  if (!/^\d{9}[\dX]$/.test(digits)) return false;
  const sum = [...digits].reduce(
    (sum, digit, at) => sum + (at + 1) * (digit === 'X' ? 10 : Number(digit)),
    0,
  );
  return sum % 11 === 0;
}

function isIsbn13(text: string): boolean {
  const digits = text.replace(/[\s-]+/g, '');
  if (!/^\d{13}$/.test(digits)) return false;
  return [...digits].reduce((sum, digit, at) => sum + (at % 2 === 0 ? 1 : 3) * Number(digit), 0) % 10 === 0;
}

function isCreditCard(text: string): boolean {
  const digits = text.replace(/\D+/g, '');
  if (!card.test(digits)) return false;
  const sum = [...digits].reverse().reduce((sum, digit, at) => {
    const value = Number(digit) * (at % 2 === 0 ? 1 : 2);
    return sum + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

const goDuration = /^[-+]?(?:0|(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+)$/;
const longUnits = ['nano', 'micro', 'milli', 'sec', 'min', 'hour', 'day', 'week'];
const shortUnits = ['ns', 'us', 'µs', 'ms', 's', 'm', 'h', 'hr', 'd', 'w', 'wk'];

/** As Go writes them, or with spelled units: `22 ns`, `3 weeks`. */
function isDuration(text: string): boolean {
  if (goDuration.test(text)) return true;
  return [...text.matchAll(/(?<!\d)\d+\s*([A-Za-zµ]+)/g)].some(([, unit = '']) => {
    const name = unit.toLowerCase();
    return shortUnits.includes(name) || longUnits.some((long) => name.startsWith(long));
  });
}
