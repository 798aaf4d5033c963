/** The operators, and what the language itself knows of lists, maps and texts. */
import { declare, method, type Overload } from '../functions.ts';
import {
  bool,
  bytes,
  double,
  duration,
  dyn,
  int,
  listOf,
  mapOf,
  optionalOf,
  param,
  string,
  type Type,
  timestamp,
  typeOf,
  uint,
} from '../types.ts';
import { EntryMap, JoinedList } from '../values/collections.ts';
import { compareValues, equalValues } from '../values/equality.ts';
import { timestampMax, timestampMin } from '../values/time.ts';
import {
  CelError,
  CelList,
  CelMap,
  Duration,
  isError,
  runeCount,
  Timestamp,
  Uint,
  type Value,
} from '../values/value.ts';

const [a, b] = [param('A'), param('B')];
const intMin = -(2n ** 63n);
const intMax = 2n ** 63n - 1n;
const uintMax = 2n ** 64n - 1n;

/** An `int`, or an error where it is none. */
export const intOf = (value: bigint): Value =>
  value < intMin || value > intMax ? new CelError('integer overflow') : value;
export const uintOf = (value: bigint): Value =>
  value < 0n || value > uintMax ? new CelError('unsigned integer overflow') : new Uint(value);
const durationOf = (nanos: bigint): Value =>
  nanos < intMin || nanos > intMax ? new CelError('duration overflow') : new Duration(nanos);
const timestampOf = (nanos: bigint): Value =>
  nanos < timestampMin || nanos > timestampMax ? new CelError('timestamp overflow') : new Timestamp(nanos);

type Pair = readonly [operator: string, word: string];

function numberOverloads(
  [operator, word]: Pair,
  onInts: (left: bigint, right: bigint) => bigint | CelError,
  onDoubles?: (left: number, right: number) => number,
): Overload[] {
  const bounded = (value: bigint | CelError, bound: (value: bigint) => Value) =>
    typeof value === 'bigint' ? bound(value) : value;
  return [
    declare(operator, `${word}_int64`, [int, int], int, (left: bigint, right: bigint) =>
      bounded(onInts(left, right), intOf),
    ),
    declare(operator, `${word}_uint64`, [uint, uint], uint, (left: Uint, right: Uint) =>
      bounded(onInts(left.value, right.value), uintOf),
    ),
    ...(onDoubles ? [declare(operator, `${word}_double`, [double, double], double, onDoubles)] : []),
  ];
}

const dividing =
  (divide: (left: bigint, right: bigint) => bigint, word: string) => (left: bigint, right: bigint) =>
    right === 0n ? new CelError(word) : divide(left, right);

const arithmetic: readonly Overload[] = [
  ...numberOverloads(
    ['_+_', 'add'],
    (left, right) => left + right,
    (left, right) => left + right,
  ),
  ...numberOverloads(
    ['_-_', 'subtract'],
    (left, right) => left - right,
    (left, right) => left - right,
  ),
  ...numberOverloads(
    ['_*_', 'multiply'],
    (left, right) => left * right,
    (left, right) => left * right,
  ),
  ...numberOverloads(
    ['_/_', 'divide'],
    dividing((left, right) => left / right, 'division by zero'),
    (left, right) => left / right,
  ),
  ...numberOverloads(
    ['_%_', 'modulo'],
    dividing((left, right) => left % right, 'modulus by zero'),
  ),
  declare('-_', 'negate_int64', [int], int, (value: bigint) => intOf(-value)),
  declare('-_', 'negate_double', [double], double, (value: number) => -value),
  declare('_+_', 'add_string', [string, string], string, (left: string, right: string) => left + right),
  declare('_+_', 'add_bytes', [bytes, bytes], bytes, (left: Uint8Array, right: Uint8Array) => {
    const whole = new Uint8Array(left.length + right.length);
    whole.set(left);
    whole.set(right, left.length);
    return whole;
  }),
  declare('_+_', 'add_list', [listOf(a), listOf(a)], listOf(a), addLists),
  declare('_+_', 'add_duration_duration', [duration, duration], duration, (left: Duration, right: Duration) =>
    durationOf(left.nanos + right.nanos),
  ),
  declare(
    '_+_',
    'add_timestamp_duration',
    [timestamp, duration],
    timestamp,
    (left: Timestamp, right: Duration) => timestampOf(left.nanos + right.nanos),
  ),
  declare(
    '_+_',
    'add_duration_timestamp',
    [duration, timestamp],
    timestamp,
    (left: Duration, right: Timestamp) => timestampOf(left.nanos + right.nanos),
  ),
  declare(
    '_-_',
    'subtract_duration_duration',
    [duration, duration],
    duration,
    (left: Duration, right: Duration) => durationOf(left.nanos - right.nanos),
  ),
  declare(
    '_-_',
    'subtract_timestamp_timestamp',
    [timestamp, timestamp],
    duration,
    (left: Timestamp, right: Timestamp) => durationOf(left.nanos - right.nanos),
  ),
  declare(
    '_-_',
    'subtract_timestamp_duration',
    [timestamp, duration],
    timestamp,
    (left: Timestamp, right: Duration) => timestampOf(left.nanos - right.nanos),
  ),
];

function addLists(left: CelList, right: CelList): Value {
  if (left.joined) return left.joined(right);
  if (right.size === 0) return left;
  return left.size === 0 ? right : new JoinedList(left, right);
}

const orders: readonly (readonly [...Pair, (order: number) => boolean])[] = [
  ['_<_', 'less', (order) => order < 0],
  ['_<=_', 'less_equals', (order) => order <= 0],
  ['_>_', 'greater', (order) => order > 0],
  ['_>=_', 'greater_equals', (order) => order >= 0],
];
const ordered: readonly Type[] = [bool, int, uint, double, string, bytes, timestamp, duration];
const numbers: readonly Type[] = [int, uint, double];
const wordOf = (type: Type): string =>
  type === int
    ? 'int64'
    : type === uint
      ? 'uint64'
      : type === timestamp
        ? 'timestamp'
        : type === duration
          ? 'duration'
          : type.name;

const comparisons: readonly Overload[] = orders.flatMap(([operator, word, holds]) => {
  const compare = (left: Value, right: Value): Value => {
    const order = compareValues(left, right);
    if (typeof order !== 'number') return order;
    return Number.isNaN(order) ? new CelError('NaN values cannot be ordered') : holds(order);
  };
  return [
    ...ordered.map((type) => declare(operator, `${word}_${wordOf(type)}`, [type, type], bool, compare)),
    ...numbers.flatMap((left) =>
      numbers
        .filter((right) => right !== left)
        .map((right) =>
          declare(operator, `${word}_${wordOf(left)}_${wordOf(right)}`, [left, right], bool, compare),
        ),
    ),
  ];
});

/** What stands at an index or key; an error where nothing does. */
export function elementOf(owner: Value, key: Value): Value {
  if (owner instanceof CelList) {
    const index =
      typeof key === 'bigint'
        ? key
        : key instanceof Uint
          ? key.value
          : typeof key === 'number' && Number.isInteger(key)
            ? BigInt(key)
            : undefined;
    if (index === undefined) return new CelError(`unsupported index type in list`);
    if (index < 0n || index >= BigInt(owner.size)) return new CelError(`index out of bounds: ${index}`);
    return owner.at(Number(index));
  }
  if (owner instanceof CelMap) {
    const found = owner.get(key);
    return found === undefined ? new CelError(`no such key: ${shownKey(key)}`) : found;
  }
  return new CelError('no such overload');
}

function shownKey(key: Value): string {
  if (key instanceof Uint) return String(key.value);
  return typeof key === 'object' ? '' : String(key);
}

const lookups: readonly Overload[] = [
  declare('_[_]', 'index_list', [listOf(a), int], a, elementOf),
  declare('_[_]', 'index_map', [mapOf(a, b), a], b, elementOf),
  declare('_[_]', 'optional_list_index_int', [optionalOf(listOf(a)), int], optionalOf(a)),
  declare('_[_]', 'optional_map_index_value', [optionalOf(mapOf(a, b)), a], optionalOf(b)),
  declare('_[?_]', 'list_optindex_optional_int', [listOf(a), int], optionalOf(a)),
  declare('_[?_]', 'optional_list_optindex_optional_int', [optionalOf(listOf(a)), int], optionalOf(a)),
  declare('_[?_]', 'map_optindex_optional_value', [mapOf(a, b), a], optionalOf(b)),
  declare('_[?_]', 'optional_map_optindex_optional_value', [optionalOf(mapOf(a, b)), a], optionalOf(b)),
  declare('_?._', 'select_optional_field', [dyn, string], optionalOf(dyn)),
  declare('@in', 'in_list', [a, listOf(a)], bool, (item: Value, list: CelList) => {
    for (const each of list) if (equalValues(each, item)) return true;
    return false;
  }),
  declare('@in', 'in_map', [a, mapOf(a, b)], bool, (key: Value, map: CelMap) => map.has(key)),
  ...sizes(),
];

function sizes(): Overload[] {
  const rows: readonly (readonly [string, Type, (value: never) => number])[] = [
    ['string', string, runeCount as (value: never) => number],
    ['bytes', bytes, (value: Uint8Array) => value.length],
    ['list', listOf(a), (value: CelList) => value.size],
    ['map', mapOf(a, b), (value: CelMap) => value.size],
  ];
  return rows.flatMap(([word, type, size]) => {
    const implementation = (value: never) => BigInt(size(value));
    return [
      declare('size', `size_${word}`, [type], int, implementation),
      method('size', `${word}_size`, [type], int, implementation),
    ];
  });
}

/** What two variables of a loop put into a map. */
function inserted(map: CelMap, key: Value, value: Value): Value {
  const whole = new EntryMap();
  for (const each of map.keys()) whole.add(each, map.get(each)!);
  return whole.add(key, value) ? whole : new CelError(`insert failed: key ${shownKey(key)} already exists`);
}

function insertedMap(map: CelMap, more: CelMap): Value {
  let whole: Value = map;
  for (const key of more.keys()) {
    whole = inserted(whole as CelMap, key, more.get(key)!);
    if (isError(whole)) return whole;
  }
  return whole;
}

const logic: readonly Overload[] = [
  declare('_?_:_', 'conditional', [bool, a, a], a),
  declare('_&&_', 'logical_and', [bool, bool], bool),
  declare('_||_', 'logical_or', [bool, bool], bool),
  declare('!_', 'logical_not', [bool], bool, (value: boolean) => !value),
  declare('@not_strictly_false', 'not_strictly_false', [bool], bool),
  declare('_==_', 'equals', [a, a], bool, equalValues),
  declare('_!=_', 'not_equals', [a, a], bool, (left: Value, right: Value) => !equalValues(left, right)),
  declare('dyn', 'to_dyn', [a], dyn, (value: Value) => value),
  declare('type', 'type', [a], typeOf(a)),
  declare('cel.@mapInsert', '@mapInsert_map_key_value', [mapOf(a, b), a, b], mapOf(a, b), inserted),
  declare('cel.@mapInsert', '@mapInsert_map_map', [mapOf(a, b), mapOf(a, b)], mapOf(a, b), insertedMap),
];

export const operators: readonly Overload[] = [...logic, ...arithmetic, ...comparisons, ...lookups];
