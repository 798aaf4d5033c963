/**
 * YAML as `sigs.k8s.io/yaml` writes it, byte by byte: keys in natural order, lists as far left as their key, texts plain where
 * they can be, several lines as a block, long lines folded behind 80 columns.
 */

import { withoutTrailing } from '../values/trimmed.ts';
import { byNaturalOrder } from './natural-order.ts';
import { ScalarWriter } from './write-scalar.ts';

/** What JSON can say, and whole numbers of any size. */
export type YamlValue =
  | string
  | number
  | bigint
  | boolean
  | null
  | readonly YamlValue[]
  | { readonly [key: string]: YamlValue | undefined };

/** One document, with a line break at its end. Fields that are undefined are left out. */
export function writeYaml(value: YamlValue): string {
  const writer = new ScalarWriter();
  writeValue(writer, value, 0, 'root');
  return writer.finish();
}

type Place = 'root' | 'field' | 'item';

function writeValue(writer: ScalarWriter, value: YamlValue, indent: number, place: Place): void {
  if (typeof value !== 'object' || value === null) writeScalar(writer, value, indent, place);
  else if (isList(value)) writeList(writer, value, indent, place);
  else writeMap(writer, value, indent, place);
}

const isList = (value: object): value is readonly YamlValue[] => Array.isArray(value);

function writeMap(
  writer: ScalarWriter,
  map: Exclude<YamlValue, string | number | bigint | boolean | null | readonly YamlValue[]>,
  indent: number,
  place: Place,
): void {
  const entries = Object.entries(map).filter(([, part]) => part !== undefined);
  if (entries.length === 0) {
    writer.indicator('{}');
    return;
  }
  const own = place === 'root' ? 0 : indent + 2;
  entries.sort(([one], [other]) => byNaturalOrder(one, other));
  for (const [index, [key, part]] of entries.entries()) {
    // The first field of a list's item stands behind its dash.
    if (place !== 'item' || index > 0) writer.line(own);
    writer.key(key, own);
    writeValue(writer, part as YamlValue, own, 'field');
  }
}

function writeList(writer: ScalarWriter, items: readonly YamlValue[], indent: number, place: Place): void {
  if (items.length === 0) {
    writer.indicator('[]');
    return;
  }
  const own = place === 'item' ? indent + 2 : indent;
  for (const [index, item] of items.entries()) {
    if (place !== 'item' || index > 0) writer.line(own);
    writer.indicator('-');
    writeValue(writer, item, own, 'item');
  }
}

function writeScalar(
  writer: ScalarWriter,
  value: string | number | bigint | boolean | null,
  indent: number,
  place: Place,
): void {
  if (typeof value === 'string') writer.text(value, place === 'root' ? 0 : indent + 2);
  else writer.indicator(typeof value === 'number' ? floatText(value) : String(value));
}

/** A number goes through JSON first, where whole ones lose their point; those that Go has no whole number for are floats. */
function floatText(value: number): string {
  const json = JSON.stringify(value);
  if (Number.isInteger(value) && value < 2 ** 64 && value >= -(2 ** 63)) return json;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([-+]?\d+))?$/.exec(json) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const leading = `${whole}${fraction}`.length - digits.length;
  const power = whole.length + Number(exponent) - 1 - leading;
  const shown = withoutTrailing(digits, '0');
  // Go's %g with the shortest digits: an exponent below -4, and from 6 on.
  if (power >= -4 && power < 6) return plainText(sign, shown, power);
  const size = String(Math.abs(power)).padStart(2, '0');
  const mantissa = shown.length > 1 ? `${shown[0]}.${shown.slice(1)}` : shown;
  return `${sign}${mantissa}e${power < 0 ? '-' : '+'}${size}`;
}

function plainText(sign: string, digits: string, power: number): string {
  if (power < 0) return `${sign}0.${'0'.repeat(-power - 1)}${digits}`;
  if (digits.length <= power + 1) return `${sign}${digits.padEnd(power + 1, '0')}`;
  return `${sign}${digits.slice(0, power + 1)}.${digits.slice(power + 1)}`;
}
