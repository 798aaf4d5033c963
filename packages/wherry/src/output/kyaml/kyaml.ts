import { needsQuotes } from './plain-keys.ts';
import { foldedString, quotedString } from './quoted-strings.ts';

/**
 * A value as one document of KYAML (KEP-5295): YAML with brackets, strings always in quotes, keys in quotes where another reader
 * might take them for something else. Keys are sorted, as kubectl prints what a server sent, unless the order that they have is meant. Takes
 * what JSON can say.
 */
export const formatKyaml = (value: unknown, { isSorted = true } = {}): string =>
  `---\n${node(isSorted ? sorted : given, value, 0)}`;

/** The parts of a mapping in the order in which they are written. */
type Order = (mapping: object) => [key: string, part: unknown][];

const given: Order = Object.entries;
const sorted: Order = (mapping) => Object.entries(mapping).sort(([one], [other]) => (one < other ? -1 : 1));

function node(order: Order, value: unknown, depth: number): string {
  if (typeof value === 'string') return foldedString(value, depth + 1);
  if (Array.isArray(value)) return sequence(order, value, depth);
  return typeof value === 'object' && value !== null ? mapping(order, value, depth) : JSON.stringify(value);
}

/** Lists of lists and mappings alone begin on the line that they stand on. */
function sequence(order: Order, items: readonly unknown[], depth: number): string {
  if (items.every((item) => typeof item === 'object' && item !== null))
    return `[${items.map((item) => node(order, item, depth)).join(', ')}]`;
  const lines = items.map((item) => `${indent(depth + 1)}${node(order, item, depth + 1)},\n`);
  return `[\n${lines.join('')}${indent(depth)}]`;
}

function mapping(order: Order, value: object, depth: number): string {
  const entries = order(value);
  if (entries.length === 0) return '{}';
  const lines = entries.map(([key, part]) => {
    const name = needsQuotes(key) ? quotedString(key) : key;
    return `${indent(depth + 1)}${name}: ${node(order, part, depth + 1)},\n`;
  });
  return `{\n${lines.join('')}${indent(depth)}}`;
}

const indent = (depth: number): string => '  '.repeat(depth);
