/** Paths of replacements and variables: names parted by dots, `[name=value]`, numbers and `*` (kyaml yaml/match.go, yaml/fns.go). */

import { withoutTrailing } from '@wherry/kubeapi';
import { KustomizeError } from '../errors.ts';
import { splitPath } from '../model/field-spec.ts';
import { compilePattern } from '../patterns.ts';
import { isMissing, list, map, scalar, textOf, type YamlNode } from '../yaml/node.ts';

/** Parts of a path; what stands in brackets may have dots. */
export function splitFieldPath(path: string): string[] {
  const parts: string[] = [];
  let open: string | undefined;
  for (const part of splitPath(path, '.')) {
    if (open === undefined && part.startsWith('[') && !part.endsWith(']')) open = part;
    else if (open !== undefined) open = `${open}.${part}`;
    else parts.push(part);
    if (open === undefined || !part.endsWith(']')) continue;
    parts.push(open.includes('=') ? open : withoutBrackets(open));
    open = undefined;
  }
  return open === undefined ? parts : [...parts, withoutBrackets(open)];
}

const withoutBrackets = (part: string): string => withoutTrailing(part.replace(/^\[+/, ''), ']');

const isNumber = (part: string) => /^\d+$/.test(part);
const isKey = (part: string) => part.startsWith('[') && part.endsWith(']');

function keyOf(part: string): [name: string, value: string] {
  const inner = part.slice(1, -1);
  const at = inner.indexOf('=');
  if (at < 0)
    throw new KustomizeError('list path element must contain fieldName=fieldValue for element to match');
  return [inner.slice(0, at), inner.slice(at + 1)];
}

/** What stands at a path; undefined where nothing does. Throws KustomizeError where the path does not fit what is there. */
export function nodeAt(node: YamlNode | undefined, path: readonly string[]): YamlNode | undefined {
  let place = node;
  for (const raw of path) {
    const part = raw.trim();
    if (part === '') continue;
    if (isMissing(place)) return undefined;
    place = stepTo(place, part);
  }
  return isMissing(place) ? undefined : place;
}

function stepTo(node: YamlNode, part: string): YamlNode | undefined {
  if (part === '*') throw new KustomizeError('wildcard is not supported in PathGetter');
  if (isNumber(part) || part === '-' || isKey(part)) {
    if (node.kind !== 'list') throw new KustomizeError('wrong node kind: expected SequenceNode');
    if (!isKey(part)) return part === '-' ? node.items.at(-1) : node.items[Number(part)];
    const [name, value] = keyOf(part);
    return node.items.find((item) =>
      name === '' ? textOf(item) === value : item.kind === 'map' && textOf(item.fields.get(name)) === value,
    );
  }
  if (node.kind !== 'map') throw new KustomizeError('wrong node kind: expected MappingNode');
  return node.fields.get(part);
}

/** All nodes that a path leads to, made where `create` says of which kind. Throws KustomizeError, as {@link nodeAt}. */
export function nodesAt(
  node: YamlNode | undefined,
  path: readonly string[],
  create?: YamlNode['kind'],
): YamlNode[] {
  const [part, ...rest] = path;
  if (part === undefined) return node === undefined ? [] : [node];
  if (isNumber(part)) return atIndex(node, Number(part), rest, create);
  if (isKey(part)) return atKey(node, part, rest, create);
  if (part === '*') return itemsOf(node).flatMap((item) => nodesAt(item, rest, create));
  if (isMissing(node)) return [];
  if (node.kind !== 'map') throw new KustomizeError('wrong node kind: expected MappingNode');
  const held = node.fields.get(part);
  if (held === undefined && create === undefined) return [];
  const field = held ?? fresh(rest[0], create);
  if (held === undefined) node.fields.set(part, field);
  return field.kind === 'scalar' && rest.length > 0 ? [] : nodesAt(field, rest, create);
}

function itemsOf(node: YamlNode | undefined): YamlNode[] {
  if (isMissing(node)) return [];
  if (node.kind !== 'list') throw new KustomizeError('wrong node kind: expected SequenceNode');
  return node.items;
}

function atIndex(
  node: YamlNode | undefined,
  index: number,
  rest: readonly string[],
  create: YamlNode['kind'] | undefined,
): YamlNode[] {
  const items = itemsOf(node);
  if (items.length === index && create !== undefined && node?.kind === 'list')
    node.items.push(fresh(rest[0], create));
  const item = node?.kind === 'list' ? node.items[index] : undefined;
  if (item === undefined)
    throw new KustomizeError(`index ${index} specified but only ${items.length} elements found`);
  return nodesAt(item, rest, create);
}

function atKey(
  node: YamlNode | undefined,
  part: string,
  rest: readonly string[],
  create: YamlNode['kind'] | undefined,
): YamlNode[] {
  const [name, expression] = keyOf(part);
  const matches = compilePattern(expression);
  const found = itemsOf(node).flatMap((item) => {
    if (name === '') return matches(textOf(item)) ? [item] : [];
    const value = item.kind === 'map' ? item.fields.get(name) : undefined;
    return value !== undefined && matches(textOf(value)) ? nodesAt(item, rest, create) : [];
  });
  if (found.length > 0 || create === undefined || node?.kind !== 'list') return found;
  const made = name === '' ? scalar(expression) : map([[name, scalar(expression)]]);
  node.items.push(made);
  return name === '' ? [made] : nodesAt(made, rest, create);
}

/** What is made where `next` leads on from it. */
function fresh(next: string | undefined, create: YamlNode['kind'] | undefined): YamlNode {
  if (next === undefined) return create === 'map' ? map() : create === 'list' ? list() : scalar('');
  return isKey(next) || isNumber(next) ? list() : map();
}
