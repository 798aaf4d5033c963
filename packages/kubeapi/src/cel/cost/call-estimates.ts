/** What a call may cost, and how large its result may be (upstream: pkg/cel/library/cost.go; cel-go: checker/cost.go). */
import type { Type } from '../types.ts';
import type { Value } from '../values/value.ts';
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
import { type CostRange, exactly, productOf, scaled, sumOf, unknownSize } from './ranges.ts';

/** What is known of an argument. */
export interface Node {
  type: Type | undefined;
  size: CostRange | undefined;
  literal: Value | undefined;
  /** What a list holds. */
  item: Node | undefined;
}

export interface CallEstimate {
  cost: CostRange;
  size?: CostRange | undefined;
}

const sizeOf = (node: Node | undefined): CostRange => node?.size ?? unknownSize;
const traversal = (size: CostRange, factor = 1): CostRange => scaled(size, factor * traversalFactor);
const matching = (text: CostRange, pattern: CostRange): CostRange =>
  productOf(traversal(sumOf(text, exactly(1))), scaled(pattern, patternFactor));
const formatPatternMax = 128;

/** Without what the arguments cost themselves. */
export function estimateCall(
  name: string,
  id: string,
  target: Node | undefined,
  args: readonly Node[],
): CallEstimate {
  if (name === 'check') return { cost: exactly(authorizerCheckCost) };
  if (nominal.has(name) || id === 'cidr_ip') return { cost: exactly(1) };
  if (walking.has(name) && target) return walkingEstimate(target);
  if (parsing.has(name) || name === 'ip') return { cost: traversal(sizeOf(args[0])) };
  return textEstimate(name, id, target, args) ?? plainEstimate(id, target, args);
}

function walkingEstimate(target: Node): CallEstimate {
  const size = sizeOf(target);
  const { item } = target;
  if (!item) return { cost: traversal(size) };
  const isText = item.type?.kind === 'string' || item.type?.kind === 'bytes';
  const each = isText ? sumOf(exactly(1), traversal(sizeOf(item))) : exactly(1);
  return { cost: productOf(size, each) };
}

function textEstimate(
  name: string,
  id: string,
  target: Node | undefined,
  args: readonly Node[],
): CallEstimate | undefined {
  const own = sizeOf(target);
  switch (name) {
    case 'fieldSelector':
    case 'labelSelector': {
      const selector = sizeOf(args[0]);
      const items = scaled(scaled(selector, selectorItemsPerCharacter), selectorItemCost);
      return { cost: sumOf(exactly(listCost), traversal(selector), items) };
    }
    case 'url':
    case 'jsonpatch.escapeKey':
      return { cost: traversal(sizeOf(args[0])), size: sizeOf(args[0]) };
    case 'lowerAscii':
    case 'upperAscii':
    case 'substring':
    case 'trim':
      return { cost: traversal(own), size: own };
    case 'replace':
      return { cost: traversal(own, 2), size: replacedSize(own, sizeOf(args[0]), sizeOf(args[1])) };
    case 'split': {
      const most = args[1]?.literal;
      return {
        cost: traversal(own, 2),
        size: { min: 0, max: typeof most === 'bigint' && most >= 0n ? Number(most) : own.max },
      };
    }
    case 'join': {
      const size = joinedSize(target!, args[0]);
      return { cost: traversal(size), size };
    }
    case 'find':
    case 'findAll':
      return { cost: matching(own, sizeOf(args[0])), size: { min: 0, max: own.max } };
    case 'ip.isCanonical':
      return { cost: traversal(sizeOf(args[0]), 2) };
    case 'containsIP': {
      const parse = id === 'cidr_contains_ip_string' ? traversal(sizeOf(args[0])) : exactly(0);
      return { cost: sumOf(traversal(addressSize, 2), parse) };
    }
    case 'containsCIDR': {
      const parse = id === 'cidr_contains_cidr_string' ? traversal(sizeOf(args[0])) : exactly(0);
      return { cost: sumOf(traversal(addressSize, 2), traversal(addressSize), exactly(1), parse) };
    }
    case 'validate':
      return { cost: scaled(traversal(sizeOf(args[0])), formatPatternMax * patternFactor) };
    default:
      return undefined;
  }
}

const addressSize: CostRange = { min: 4, max: 16 };

function replacedSize(own: CostRange, part: CostRange, by: CostRange): CostRange {
  const longest =
    part.min === 0
      ? [own.max + 1, own.max]
      : by.max <= part.min
        ? [0, own.max]
        : [Math.ceil(own.max / part.min), 0];
  const shortest =
    part.max === 0
      ? [own.min + 1, own.min]
      : part.max <= by.min
        ? [0, own.min]
        : [Math.ceil(own.min / part.max), 0];
  const [counts, kept] = [0, 1].map((index) => ({ min: shortest[index]!, max: longest[index]! }));
  return sumOf(productOf(counts!, by), kept!);
}

function joinedSize(list: Node, separator: Node | undefined): CostRange {
  const count = sizeOf(list);
  const items = list.item ? productOf(count, sizeOf(list.item)) : exactly(0);
  if (!separator) return items;
  const between = { min: Math.max(0, count.min - 1), max: Math.max(0, count.max - 1) };
  return sumOf(items, productOf(sizeOf(separator), between));
}

function plainEstimate(id: string, target: Node | undefined, args: readonly Node[]): CallEstimate {
  const [first, second] = args.map(sizeOf);
  if (comparing.test(id)) return { cost: comparison(id, args) };
  switch (id) {
    case 'string_format':
      return { cost: traversal(sizeOf(target)) };
    case 'string_to_bytes':
      return { cost: traversal(first!), size: { min: first!.min, max: first!.max * 4 } };
    case 'bytes_to_string':
      return { cost: traversal(first!), size: { min: Math.floor(first!.min / 4), max: first!.max } };
    case 'strings_quote':
      return { cost: traversal(first!), size: { min: first!.min + 2, max: first!.max * 2 + 2 } };
    case 'starts_with_string':
    case 'ends_with_string':
      return { cost: traversal(first!) };
    case 'in_list':
      return { cost: second! };
    case 'matches_string':
      return target ? { cost: matching(sizeOf(target), first!) } : { cost: exactly(1) };
    case 'contains_string':
      return { cost: productOf(traversal(sizeOf(target)), traversal(first!)) };
    case 'add_string':
    case 'add_bytes': {
      const size = sumOf(first!, second!);
      return { cost: traversal(size), size };
    }
    case 'add_list':
      return { cost: exactly(1), size: sumOf(first!, second!) };
    case 'list_sets_contains_list':
    case 'list_sets_intersects_list':
      return { cost: sumOf(productOf(first!, second!), exactly(1)) };
    case 'list_sets_equivalent_list':
      return { cost: sumOf(scaled(productOf(first!, second!), 2), exactly(1)) };
    default:
      return listEstimate(id, target, args) ?? { cost: exactly(1) };
  }
}

function comparison(id: string, [left, right]: readonly Node[]): CostRange {
  const name = left?.type?.name ?? '';
  const isSame = left?.type?.kind === right?.type?.kind && name === right?.type?.name;
  if (id === 'equals' && isSame && /^(?:net\.|kubernetes\.(?:authorization\.|Quantity$|Semver$))/.test(name))
    return exactly(1);
  const most = Math.min(sizeOf(left).max, sizeOf(right).max);
  return traversal({ min: most > 0 ? 1 : 0, max: most });
}

function listEstimate(id: string, target: Node | undefined, args: readonly Node[]): CallEstimate | undefined {
  const making = (size: CostRange, factor: number): CallEstimate => ({
    cost: sumOf(scaled(size, factor), exactly(1 + listCost)),
    size,
  });
  const own = sizeOf(target);
  const number = (node: Node | undefined, fallback: number) =>
    typeof node?.literal === 'bigint' ? Math.max(0, Number(node.literal)) : fallback;
  if (id === 'list_slice')
    return making({ min: 0, max: Math.max(0, number(args[1], own.max) - number(args[0], 0)) }, 1);
  if (id === 'list_flatten') return making(own, 1);
  if (id === 'list_flatten_int') return making(own, number(args[0], unknownSize.max));
  if (id === 'lists_range') return making({ min: 0, max: number(args[0], unknownSize.max) }, 1);
  if (id === 'list_reverse') return making(own, 1);
  if (id === 'list_distinct') return making(productOf(own, own), 2);
  if (/^list_\w+_sort/.test(id)) {
    const keys = id.includes('sortBy') ? args[0] : target;
    const isText = /^list_(?:string|bytes)_/.test(id);
    return making(productOf(sizeOf(keys), sizeOf(keys)), isText ? 2 + traversalFactor : 2);
  }
  return undefined;
}
