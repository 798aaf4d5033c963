import { exactJson } from '@wherry/kubeapi';
import { entriesOf } from '../json.ts';
import { needsQuotes } from './plain-keys.ts';
import { foldedString, quotedString } from './quoted-strings.ts';

/**
 * A value as one document of KYAML (KEP-5295): YAML with brackets, strings always in quotes, keys in quotes where another reader
 * might take them for something else. Takes what JSON can say.
 */
export const formatKyaml = (value: unknown): string => `---\n${node(value, 0)}`;

function node(value: unknown, depth: number): string {
  if (typeof value === 'string') return foldedString(value, depth + 1);
  if (Array.isArray(value)) return sequence(value, depth);
  return typeof value === 'object' && value !== null ? mapping(value, depth) : exactJson(value);
}

/** Lists of lists and mappings alone begin on the line that they stand on. */
function sequence(items: readonly unknown[], depth: number): string {
  if (items.every((item) => typeof item === 'object' && item !== null))
    return `[${items.map((item) => node(item, depth)).join(', ')}]`;
  const lines = items.map((item) => `${indent(depth + 1)}${node(item, depth + 1)},\n`);
  return `[\n${lines.join('')}${indent(depth)}]`;
}

function mapping(value: object, depth: number): string {
  const entries = entriesOf(value);
  if (entries.length === 0) return '{}';
  const lines = entries.map(([key, part]) => {
    const name = needsQuotes(key) ? quotedString(key) : key;
    return `${indent(depth + 1)}${name}: ${node(part, depth + 1)},\n`;
  });
  return `{\n${lines.join('')}${indent(depth)}}`;
}

const indent = (depth: number): string => '  '.repeat(depth);
