/** Formats by name: `format.dns1123Label().validate("x")` (upstream: pkg/cel/library/format.go). */

import { hasFormat } from '../../formats/schema-formats.ts';
import {
  asPrefix,
  dns1035Label,
  dnsLabel,
  dnsSubdomain,
  type FormatCheck,
  labelValueFormat,
  qualifiedName,
} from '../../validation/formats.ts';
import { declare, method, type Overload } from '../functions.ts';
import { listOf, objectNamed, optionalOf, string } from '../types.ts';
import { ArrayList } from '../values/collections.ts';
import { isError, Opaque, Optional } from '../values/value.ts';
import { readUrl } from './urls.ts';

const type = objectNamed('kubernetes.NamedFormat');

/** A format as a value. */
export class Format extends Opaque {
  readonly typeName = type.name;
  readonly name: string;
  readonly check: FormatCheck;
  /** What its pattern counts as in costs. */
  readonly patternSize: number;

  constructor(name: string, patternSize: number, check: FormatCheck) {
    super();
    this.name = name;
    this.check = check;
    this.patternSize = patternSize;
  }

  equals(other: Opaque): boolean {
    return other instanceof Format && other.name === this.name;
  }
}

const named =
  (format: string, complaint: string): FormatCheck =>
  (text) =>
    hasFormat(text, format) ? [] : [complaint];
const uri: FormatCheck = (text) => {
  const url = readUrl(text);
  return isError(url) ? [url.message.replace(/^[^:]*: /, '')] : [];
};

const formats: ReadonlyMap<string, Format> = new Map(
  (
    [
      ['dns1123Label', 30, dnsLabel],
      ['dns1123Subdomain', 60, dnsSubdomain],
      ['dns1035Label', 30, dns1035Label],
      ['qualifiedName', 60, qualifiedName],
      ['dns1123LabelPrefix', 30, asPrefix(dnsLabel)],
      ['dns1123SubdomainPrefix', 60, asPrefix(dnsSubdomain)],
      ['dns1035LabelPrefix', 30, asPrefix(dns1035Label)],
      ['labelValue', 40, labelValueFormat],
      ['uri', 1104, uri],
      ['uuid', 67, named('uuid', 'does not match the UUID format')],
      ['byte', 83, named('byte', 'invalid base64')],
      ['date', 72, named('date', 'invalid date')],
      ['datetime', 72, named('date-time', 'invalid datetime')],
    ] as const
  ).map(([name, size, check]) => [name, new Format(name, size, check)]),
);

export const formatLibrary: readonly Overload[] = [
  method(
    'validate',
    'format-validate',
    [type, string],
    optionalOf(listOf(string)),
    ({ check }: Format, text: string) => {
      const complaints = check(text);
      return complaints.length === 0 ? Optional.none : new Optional(new ArrayList(complaints));
    },
  ),
  declare('format.named', 'format-named', [string], optionalOf(type), (name: string) => {
    const format = formats.get(name);
    return format ? new Optional(format) : Optional.none;
  }),
  ...[...formats].map(([name, format]) =>
    declare(`format.${name}`, `format.${name}`, [], type, () => format),
  ),
];
