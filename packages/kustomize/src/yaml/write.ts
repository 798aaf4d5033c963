/**
 * YAML as `sigs.k8s.io/yaml` writes it, byte by byte: keys in natural order, lists as far left as their key, texts plain where
 * they can be, several lines as a block, long lines folded behind 80 columns.
 */

import { byNaturalOrder } from './natural-order.ts';
import type { YamlNode } from './node.ts';
import { scalarValue } from './to-json.ts';
import { ScalarWriter } from './write-scalar.ts';

/** One document, with a line break at its end. */
export function writeYaml(node: YamlNode): string {
  const writer = new ScalarWriter();
  writeNode(writer, node, 0, 'root');
  return writer.finish();
}

type Place = 'root' | 'field' | 'item';

function writeNode(writer: ScalarWriter, node: YamlNode, indent: number, place: Place): void {
  if (node.kind === 'scalar') writeScalar(writer, node, indent, place);
  else if (node.kind === 'map') writeMap(writer, node.fields, indent, place);
  else writeList(writer, node.items, indent, place);
}

function writeMap(
  writer: ScalarWriter,
  fields: ReadonlyMap<string, YamlNode>,
  indent: number,
  place: Place,
): void {
  if (fields.size === 0) {
    writer.indicator('{}');
    return;
  }
  const own = place === 'root' ? 0 : indent + 2;
  const keys = [...fields.keys()].sort(byNaturalOrder);
  for (const [index, key] of keys.entries()) {
    // The first field of a list's item stands behind its dash.
    if (place !== 'item' || index > 0) writer.line(own);
    writer.key(key, own);
    writeNode(writer, fields.get(key) as YamlNode, own, 'field');
  }
}

function writeList(writer: ScalarWriter, items: readonly YamlNode[], indent: number, place: Place): void {
  if (items.length === 0) {
    writer.indicator('[]');
    return;
  }
  const own = place === 'item' ? indent + 2 : indent;
  for (const [index, item] of items.entries()) {
    if (place !== 'item' || index > 0) writer.line(own);
    writer.indicator('-');
    writeNode(writer, item, own, 'item');
  }
}

function writeScalar(
  writer: ScalarWriter,
  node: Extract<YamlNode, { kind: 'scalar' }>,
  indent: number,
  place: Place,
): void {
  const { tag, value } = scalarValue(node);
  const own = place === 'root' ? 0 : indent + 2;
  if (tag === '!!str' || tag === '!!timestamp') writer.text(String(value), own);
  else writer.indicator(typeof value === 'number' ? floatText(value) : String(value));
}

/** A float goes through JSON first, where whole numbers lose their point. */
function floatText(value: number): string {
  const json = JSON.stringify(value);
  if (/^-?\d+$/.test(json)) return json;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([-+]?\d+))?$/.exec(json) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const leading = `${whole}${fraction}`.length - digits.length;
  const power = whole.length + Number(exponent) - 1 - leading;
  const shown = digits.replace(/0+$/, '');
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
