/** What keeps a configuration from being applied whatever its validation says (structured-merge-diff, typed.AsTyped). */
import { isJsonObject, type JsonValue } from '../json/json-value.ts';
import { childNode, type Node, partAt, partsOf } from './node.ts';
import { formatPath } from './path-set.ts';

/**
 * `.spec.containers[name="x"].env: duplicate entries for key [name="a"]`, for each item that stands twice in its list, and the
 * same for each that can't be told apart: it has none of its list's keys, or is none of a set.
 */
export function unfitItems(value: JsonValue, node: Node): string[] {
  const complaints: string[] = [];
  findUnfit(value, node, { path: [], complaints });
  return complaints;
}

function findUnfit(value: JsonValue, node: Node, walk: { path: string[]; complaints: string[] }): void {
  // Of most of a configuration there is nothing to look into: every apply passes here.
  if (node.kind === 'leaf') return;
  const { path, complaints } = walk;
  const isList = node.kind === 'set' || node.kind === 'keyed';
  const seen = isList ? new Set<string>() : undefined;
  for (const [index, [element, part]] of (partsOf(value, node) ?? []).entries()) {
    const problem = isList ? problemOf(element, part, node) : undefined;
    if (problem !== undefined) complaints.push(`${formatPath(path)}: element ${index}: ${problem}`);
    else if (seen && seen.size === seen.add(element).size)
      complaints.push(`${formatPath(path)}: duplicate entries for key ${formatPath([element])}`);
    if (typeof part !== 'object') continue;
    path.push(element);
    findUnfit(part, childNode(node, element), walk);
    path.pop();
  }
}

/** Why an item is none of a list whose items are told apart (structured-merge-diff, typed/helpers.go). */
function problemOf(element: string, item: JsonValue, node: Node): string | undefined {
  if (node.kind === 'keyed') {
    if (element !== 'k:{}') return undefined;
    const keys = node.keys.map(({ name }) => JSON.stringify(name)).join(' ');
    return `associative list with keys has an element that omits all key fields [${keys}] (and doesn't have default values for any key fields)`;
  }
  if (item === null) return "associative list without keys has an element that's an explicit null";
  if (Array.isArray(item)) return 'not supported: associative list with lists as elements';
  return isJsonObject(item) ? "associative list without keys has an element that's a map type" : undefined;
}

/** A path such as `spec.containers[0].foo` as apply has it: items of lists by their keys. */
export function keyedPath(path: string, value: JsonValue, node: Node): string {
  const elements: string[] = [];
  let [part, place]: [JsonValue | undefined, Node] = [value, node];
  for (const [, name, index] of path.matchAll(/([^.[\]]+)|\[(\d+)\]/g)) {
    const found = partAt(part, place, index === undefined ? name! : Number(index));
    const element = found?.[0] ?? (index === undefined ? `f:${name}` : `i:${index}`);
    elements.push(element);
    [part, place] = [found?.[1], childNode(place, element)];
  }
  return formatPath(elements);
}
