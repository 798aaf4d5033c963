/** When values are equal, and which comes first. */
import {
  CelError,
  CelList,
  CelMap,
  CelObject,
  CostLimitError,
  Duration,
  isError,
  Opaque,
  Optional,
  Timestamp,
  TypeValue,
  Uint,
  type Value,
} from './value.ts';

/** More comparisons than this in one call are an expression out of bounds: its lists hold one another many times. */
const comparisonsMax = 10_000_000;

/** Whether two values are equal; of different types they are not, but numbers are compared as numbers. */
export function equalValues(left: Value, right: Value): boolean {
  let left_ = comparisonsMax;
  const equal = (one: Value, other: Value): boolean => {
    left_ -= 1;
    if (left_ < 0) throw new CostLimitError();
    if (one === other) return true;
    if (isNumeric(one)) return isNumeric(other) && compareNumbers(one, other) === 0;
    if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
    return equalObjects(one, other, equal);
  };
  return equal(left, right);
}

type Equal = (one: Value, other: Value) => boolean;

function equalObjects(one: Value & object, other: Value & object, equal: Equal): boolean {
  if (one instanceof CelList) return other instanceof CelList && equalLists(one, other, equal);
  if (one instanceof CelMap) return other instanceof CelMap && equalMaps(one, other, equal);
  if (one instanceof CelObject) return other instanceof CelObject && equalFields(one, other, equal);
  if (one instanceof Uint8Array)
    return (
      other instanceof Uint8Array &&
      one.length === other.length &&
      one.every((byte, index) => byte === other[index])
    );
  if (one instanceof Timestamp) return other instanceof Timestamp && one.nanos === other.nanos;
  if (one instanceof Duration) return other instanceof Duration && one.nanos === other.nanos;
  if (one instanceof TypeValue) return other instanceof TypeValue && one.name === other.name;
  if (one instanceof Opaque)
    return other instanceof Opaque && one.typeName === other.typeName && one.equals(other);
  if (one instanceof Optional && other instanceof Optional) {
    if (one.value === undefined || other.value === undefined) return one.value === other.value;
    return equal(one.value, other.value);
  }
  return false;
}

function equalLists(one: CelList, other: CelList, equal: Equal): boolean {
  if (one.size !== other.size) return false;
  if (one.equalIn) return one.equalIn(other, equal);
  if (other.equalIn) return other.equalIn(one, equal);
  for (let index = 0; index < one.size; index += 1) if (!equal(one.at(index), other.at(index))) return false;
  return true;
}

function equalMaps(one: CelMap, other: CelMap, equal: Equal): boolean {
  if (one.size !== other.size) return false;
  for (const key of one.keys()) {
    const there = other.get(key);
    if (there === undefined || !equal(one.get(key)!, there)) return false;
  }
  return true;
}

function equalFields(one: CelObject, other: CelObject, equal: Equal): boolean {
  if (one.equalIn) return one.equalIn(other, equal);
  const names = [...one.fields()];
  if (names.length !== [...other.fields()].length) return false;
  return names.every((name) => {
    const there = other.get(name);
    return there !== undefined && equal(one.get(name)!, there);
  });
}

type Numeric = bigint | number | Uint;

export const isNumeric = (value: Value): value is Numeric =>
  typeof value === 'bigint' || typeof value === 'number' || value instanceof Uint;

/** Negative, 0 or positive; NaN with NaN. */
function compareNumbers(left: Numeric, right: Numeric): number {
  const [one, other] = [
    left instanceof Uint ? left.value : left,
    right instanceof Uint ? right.value : right,
  ];
  if (one < other) return -1;
  if (one > other) return 1;
  // Neither: one of them is no number.
  return one <= other ? 0 : Number.NaN;
}

/** Negative, 0 or positive; an error for what has no order. */
export function compareValues(left: Value, right: Value): number | CelError {
  if (isNumeric(left) && isNumeric(right)) return compareNumbers(left, right);
  if (typeof left === 'string' && typeof right === 'string') return compareTexts(left, right);
  if (typeof left === 'boolean' && typeof right === 'boolean') return Number(left) - Number(right);
  if (left instanceof Uint8Array && right instanceof Uint8Array) return compareBytes(left, right);
  const isTime = left instanceof Timestamp && right instanceof Timestamp;
  const isLength = left instanceof Duration && right instanceof Duration;
  if (isTime || isLength) return left.nanos < right.nanos ? -1 : left.nanos > right.nanos ? 1 : 0;
  for (const value of [left, right]) if (isError(value)) return value;
  return new CelError('no such overload');
}

/** By code points, as UTF-8 sorts. */
export function compareTexts(left: string, right: string): number {
  if (left === right) return 0;
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index += 1) {
    const [one, other] = [left.charCodeAt(index), right.charCodeAt(index)];
    if (one === other) continue;
    const areSurrogates = [one >= 0xd800 && one < 0xe000, other >= 0xd800 && other < 0xe000];
    if (areSurrogates[0] !== areSurrogates[1]) return areSurrogates[0] ? 1 : -1;
    return one - other;
  }
  return left.length - right.length;
}

function compareBytes(left: Uint8Array, right: Uint8Array): number {
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index += 1)
    if (left[index] !== right[index]) return left[index]! - right[index]!;
  return left.length - right.length;
}
