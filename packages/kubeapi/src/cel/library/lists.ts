/** Functions of lists: cel-go's extension in version 3, its sets, and Kubernetes' own. */
import { declare, method, type Overload } from '../functions.ts';
import {
  bool,
  bytes,
  double,
  duration,
  dyn,
  int,
  listOf,
  optionalOf,
  param,
  string,
  type Type,
  timestamp,
  uint,
} from '../types.ts';
import { ArrayList } from '../values/collections.ts';
import { compareValues, equalValues } from '../values/equality.ts';
import {
  CelError,
  CelList,
  CostLimitError,
  Duration,
  isError,
  Optional,
  typeNameOf,
  Uint,
  type Value,
} from '../values/value.ts';
import { operators } from './operators.ts';

const a = param('T');
const comparable: readonly (readonly [string, Type])[] = [
  ...([int, uint, double, bool, string, bytes] as const).map((type) => [type.name, type] as const),
  ['duration', duration],
  ['timestamp', timestamp],
];
const zeros: readonly (readonly [string, Type, Value])[] = [
  ['int', int, 0n],
  ['uint', uint, new Uint(0n)],
  ['double', double, 0],
  ['duration', duration, new Duration(0n)],
];
/** Lists of numbers are made whole. */
const rangeMax = 1_000_000n;

function isSorted(list: CelList): Value {
  for (let index = 1; index < list.size; index += 1) {
    const order = compareValues(list.at(index - 1), list.at(index));
    if (typeof order !== 'number') return order;
    if (order > 0) return false;
  }
  return true;
}

const addAny = operators.filter(({ name }) => name === '_+_');

function sum(zero: Value, type: Type) {
  const add = addAny.find(({ args }) => args[0] === type && args[1] === type)!.implementation as (
    ...args: Value[]
  ) => Value;
  return (list: CelList): Value => {
    let total = zero;
    for (const item of list) {
      if (isError(total)) return total;
      total = add(total, item);
    }
    return total;
  };
}

const extreme = (name: string, sign: number) => (list: CelList) => {
  let best: Value | undefined;
  for (const item of list) {
    const order = best === undefined ? 1 : compareValues(item, best);
    if (typeof order !== 'number') return order;
    if (best === undefined || order * sign > 0) best = item;
  }
  return best ?? new CelError(`${name} called on empty list`);
};

function indexOf(list: CelList, item: Value): Value {
  for (let index = 0; index < list.size; index += 1)
    if (equalValues(list.at(index), item)) return BigInt(index);
  return -1n;
}

function lastIndexOf(list: CelList, item: Value): Value {
  for (let index = list.size - 1; index >= 0; index -= 1)
    if (equalValues(list.at(index), item)) return BigInt(index);
  return -1n;
}

function slice(list: CelList, start: bigint, end: bigint): Value {
  const call = `cannot slice(${start}, ${end})`;
  if (start < 0n || end < 0n) return new CelError(`${call}, negative indexes not supported`);
  if (start > end) return new CelError(`${call}, start index must be less than or equal to end index`);
  if (BigInt(list.size) < end) return new CelError(`${call}, list is length ${list.size}`);
  return new ArrayList([...list].slice(Number(start), Number(end)));
}

function flatten(list: CelList, depth = 1n): Value {
  if (depth < 0n) return new CelError('level must be non-negative');
  const out: Value[] = [];
  const take = (items: CelList, left: bigint) => {
    for (const item of items) {
      if (item instanceof CelList && left > 0n) take(item, left - 1n);
      else out.push(item);
      if (out.length > Number(rangeMax)) throw new CostLimitError();
    }
  };
  take(list, depth);
  return new ArrayList(out);
}

function distinct(list: CelList): Value {
  const out: Value[] = [];
  for (const item of list) if (!out.some((each) => equalValues(each, item))) out.push(item);
  return new ArrayList(out);
}

function range(size: bigint): Value {
  if (size > rangeMax) throw new CostLimitError();
  return new ArrayList(Array.from({ length: Math.max(0, Number(size)) }, (_item, index) => BigInt(index)));
}

/** By keys of the same places. */
function sortBy(list: CelList, keys: CelList): Value {
  const pairs = [...list].map((item, index) => ({ item, key: keys.at(index) }));
  const first = keys.size > 0 ? keys.at(0) : undefined;
  if (first !== undefined && typeof compareValues(first, first) !== 'number')
    return new CelError('list elements must be comparable');
  if (pairs.some(({ key }) => typeNameOf(key) !== typeNameOf(first!)))
    return new CelError('list elements must have the same type');
  const sorted = pairs.sort((left, right) => Number(compareValues(left.key, right.key)));
  return new ArrayList(sorted.map(({ item }) => item));
}

const isIn = (list: CelList, item: Value): boolean => indexOf(list, item) !== -1n;
const contains = (list: CelList, other: CelList) => [...other].every((item) => isIn(list, item));

export const listLibrary: readonly Overload[] = [
  ...comparable.flatMap(([name, type]) => [
    method('isSorted', `list_${name}_is_sorted_bool`, [listOf(type)], bool, isSorted),
    method('max', `list_${name}_max_${name}`, [listOf(type)], type, extreme('max', 1)),
    method('min', `list_${name}_min_${name}`, [listOf(type)], type, extreme('min', -1)),
    method('sort', `list_${name}_sort`, [listOf(type)], listOf(type), (list: CelList) => sortBy(list, list)),
    method(
      '@sortByAssociatedKeys',
      `list_${name}_sortByAssociatedKeys`,
      [listOf(a), listOf(type)],
      listOf(a),
      sortBy,
    ),
  ]),
  ...zeros.map(([name, type, zero]) =>
    method('sum', `list_${name}_sum_${name}`, [listOf(type)], type, sum(zero, type)),
  ),
  method('indexOf', 'list_a_index_of_int', [listOf(a), a], int, indexOf),
  method('lastIndexOf', 'list_a_last_index_of_int', [listOf(a), a], int, lastIndexOf),
  method('slice', 'list_slice', [listOf(a), int, int], listOf(a), slice),
  method('flatten', 'list_flatten', [listOf(listOf(a))], listOf(a), flatten),
  method('flatten', 'list_flatten_int', [listOf(dyn), int], listOf(dyn), flatten),
  method('distinct', 'list_distinct', [listOf(a)], listOf(a), distinct),
  method(
    'reverse',
    'list_reverse',
    [listOf(a)],
    listOf(a),
    (list: CelList) => new ArrayList([...list].reverse()),
  ),
  method('first', 'list_first', [listOf(a)], optionalOf(a), (list: CelList) =>
    list.size > 0 ? new Optional(list.at(0)) : Optional.none,
  ),
  method('last', 'list_last', [listOf(a)], optionalOf(a), (list: CelList) =>
    list.size > 0 ? new Optional(list.at(list.size - 1)) : Optional.none,
  ),
  declare('lists.range', 'lists_range', [int], listOf(int), range),
  declare('sets.contains', 'list_sets_contains_list', [listOf(a), listOf(a)], bool, contains),
  declare(
    'sets.equivalent',
    'list_sets_equivalent_list',
    [listOf(a), listOf(a)],
    bool,
    (left: CelList, right: CelList) => contains(left, right) && contains(right, left),
  ),
  declare(
    'sets.intersects',
    'list_sets_intersects_list',
    [listOf(a), listOf(a)],
    bool,
    (left: CelList, right: CelList) => [...right].some((item) => isIn(left, item)),
  ),
];
