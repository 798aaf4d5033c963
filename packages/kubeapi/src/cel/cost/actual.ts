/** What a call costs while it runs (upstream: pkg/cel/library/cost.go; cel-go: interpreter/runtimecost.go). */
import type { Overload } from '../functions.ts';
import { Format } from '../kubernetes/formats.ts';
import { CelList, CelMap, costSizeOf, Opaque, type Value } from '../values/value.ts';
import {
  authorizerCheckCost,
  comparing,
  listCost,
  nominal,
  parsing,
  patternFactor,
  selectorItemCost,
  selectorItemsPerCharacter,
  traversalFactor,
  walking,
} from './factors.ts';

const traversal = (size: number, factor = 1): number => Math.ceil(size * factor * traversalFactor);
const matching = (text: number, pattern: number): number =>
  traversal(1 + text) * Math.ceil(pattern * patternFactor);

/** Units that a call costs; told before it is done, so that nothing dear is done for nothing. */
export function callCost({ name, id }: Overload, args: readonly Value[]): number {
  const size = (index: number) => costSizeOf(args[index]!);
  if (nominal.has(name)) return 1;
  if (walking.has(name)) return traversalCost(args[0]!);
  if (parsing.has(name) || (name === 'ip' && id === 'string_to_ip')) return traversal(size(0));
  switch (name) {
    case 'check':
      return authorizerCheckCost;
    case 'fieldSelector':
    case 'labelSelector':
      return (
        listCost + traversal(size(1)) + Math.ceil(size(1) * selectorItemsPerCharacter) * selectorItemCost
      );
    case 'url':
    case 'jsonpatch.escapeKey':
    case 'lowerAscii':
    case 'upperAscii':
    case 'substring':
    case 'trim':
      return traversal(size(0));
    case 'replace':
    case 'split':
    case 'ip.isCanonical':
      return traversal(size(0), 2);
    case 'join':
      return traversal(joinedSize(args), 2);
    case 'find':
      return matching(size(0), size(1));
    case 'findAll':
      // Dearer than upstream's: each character may be a match, and that takes the time of a unit and more.
      return matching(size(0), size(1)) + size(0);
    case 'validate':
      return args[0] instanceof Format ? matching(size(1), args[0].patternSize) : 1;
    case 'containsIP':
      return traversal(size(0), 2) + (id === 'cidr_contains_ip_string' ? traversal(size(1)) : 0);
    case 'containsCIDR': {
      const parse = id === 'cidr_contains_cidr_string' ? traversal(size(1)) : 0;
      return traversal(size(0), 2) + traversal(size(0)) + 1 + parse;
    }
    default:
      return args[0] instanceof Opaque ? 1 : plainCost(id, args, size);
  }
}

function plainCost(id: string, args: readonly Value[], size: (index: number) => number): number {
  if (comparing.test(id)) return traversal(Math.min(size(0), size(1)));
  switch (id) {
    case 'starts_with_string':
    case 'ends_with_string':
    case 'string_to_bytes':
    case 'bytes_to_string':
    case 'strings_quote':
    case 'string_format':
      return traversal(size(0));
    case 'in_list':
      return size(1);
    case 'add_string':
    case 'add_bytes':
      return traversal(size(0) + size(1));
    case 'matches_string':
      return matching(size(0), size(1));
    case 'contains_string':
      return traversal(size(0)) * traversal(size(1));
    case 'list_sets_contains_list':
    case 'list_sets_intersects_list':
      return 1 + size(0) * size(1);
    case 'list_sets_equivalent_list':
      return 1 + size(0) * size(1) * 2;
    case 'list_reverse':
    case 'list_flatten':
      return size(0) + 1 + listCost;
    case 'list_flatten_int':
      return size(0) * Math.max(0, Number(args[1])) + 1 + listCost;
    case 'list_slice':
      return Math.max(0, Number(args[2]) - Number(args[1])) + 1 + listCost;
    case 'lists_range':
      return Math.max(0, Number(args[0])) + 1 + listCost;
    case '@mapInsert_map_key_value':
    case '@mapInsert_map_map':
      // Upstream's maps grow in place while a macro goes on; here each is a copy.
      return 1 + Math.ceil(size(0) * traversalFactor);
    default:
      return /^list_(?:distinct|\w+_sort\w*)$/.test(id) ? sortCost(args.at(-1)!) : 1;
  }
}

function sortCost(keys: Value): number {
  if (!(keys instanceof CelList) || keys.size === 0) return 1 + listCost;
  const first = keys.at(0);
  const isText = typeof first === 'string' || first instanceof Uint8Array;
  return Math.floor(keys.size ** 2 * (isText ? 2 + traversalFactor : 2)) + 1 + listCost;
}

function joinedSize([list, separator = '']: readonly Value[]): number {
  if (!(list instanceof CelList)) return 1;
  let size = Math.max(0, list.size - 1) * costSizeOf(separator);
  for (const part of list) size += costSizeOf(part);
  return size;
}

/** Of everything that a value holds. */
function traversalCost(value: Value): number {
  if (typeof value === 'string') return Math.floor(new TextEncoder().encode(value).length * traversalFactor);
  if (value instanceof Uint8Array) return Math.floor(value.length * traversalFactor);
  let cost = 0;
  if (value instanceof CelList) for (const item of value) cost += traversalCost(item);
  else if (value instanceof CelMap)
    for (const key of value.keys()) cost += traversalCost(key) + traversalCost(value.get(key)!);
  else return 1;
  return cost;
}
