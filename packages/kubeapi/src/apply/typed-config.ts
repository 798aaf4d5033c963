/** What keeps a configuration from being applied whatever its validation says (structured-merge-diff, typed.AsTyped). */
import type { JsonValue } from '../json/json-value.ts';
import { childNode, type Node, partAt, partsOf } from './node.ts';
import { formatPath } from './path-set.ts';

/** `.spec.containers[name="x"].env: duplicate entries for key [name="a"]`, for each item that stands twice in its list. */
export function repeatedItems(value: JsonValue, node: Node): string[] {
  const complaints: string[] = [];
  findRepeated(value, node, { path: [], complaints });
  return complaints;
}

function findRepeated(value: JsonValue, node: Node, walk: { path: string[]; complaints: string[] }): void {
  // Of most of a configuration there is nothing to look into: every apply passes here.
  if (node.kind === 'leaf') return;
  const { path, complaints } = walk;
  const isList = node.kind === 'set' || node.kind === 'keyed';
  const seen = isList ? new Set<string>() : undefined;
  for (const [element, part] of partsOf(value, node) ?? []) {
    if (seen && seen.size === seen.add(element).size)
      complaints.push(`${formatPath(path)}: duplicate entries for key ${formatPath([element])}`);
    if (typeof part !== 'object') continue;
    path.push(element);
    findRepeated(part, childNode(node, element), walk);
    path.pop();
  }
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
