/** What expressions yield. */
import type { Type } from '../types.ts';

/** A value of CEL: `int` is a bigint, `double` a number. */
export type Value =
  | null
  | boolean
  | bigint
  | number
  | string
  | Uint8Array
  | Uint
  | Timestamp
  | Duration
  | TypeValue
  | CelList
  | CelMap
  | CelObject
  | Optional
  | Opaque
  | CelError;

/** An unsigned integer of 64 bits. */
export class Uint {
  readonly value: bigint;

  constructor(value: bigint) {
    this.value = value;
  }
}

/** A moment, in nanoseconds since 1970. */
export class Timestamp {
  readonly nanos: bigint;

  constructor(nanos: bigint) {
    this.nanos = nanos;
  }
}

/** A length of time, in nanoseconds. */
export class Duration {
  readonly nanos: bigint;

  constructor(nanos: bigint) {
    this.nanos = nanos;
  }
}

/** A type as a value. */
export class TypeValue {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** A list. What it holds may be made when it is asked for. */
export abstract class CelList implements Iterable<Value> {
  abstract readonly size: number;
  /** Of an index that is there. */
  abstract at(index: number): Value;
  /** How two of them are joined where that is not one after the other (schemas' sets and maps). */
  joined?(other: CelList): Value;
  /** Whether the order of items counts; undefined = it does. */
  equalIn?(other: CelList, equal: (left: Value, right: Value) => boolean): boolean;

  *[Symbol.iterator](): Iterator<Value> {
    for (let index = 0; index < this.size; index += 1) yield this.at(index);
  }
}

/** A map. */
export abstract class CelMap {
  /** Of one that upstream holds for no map: nothing that is for maps, as `size` and `in`, takes it. */
  readonly typeName: string = 'map';
  abstract readonly size: number;
  /** Undefined where the key is not there. */
  abstract get(key: Value): Value | undefined;
  abstract keys(): Iterable<Value>;

  /** Whether it has the key itself: `key in map`. */
  has(key: Value): boolean {
    return this.get(key) !== undefined;
  }
}

/** What has fields by a schema. */
export abstract class CelObject {
  abstract readonly typeName: string;
  /** Undefined where the field is absent. */
  abstract get(field: string): Value | undefined;
  /** Of the fields that are there. */
  abstract fields(): Iterable<string>;
  /** Where there is more to compare than its fields. */
  equalIn?(other: CelObject, equal: (left: Value, right: Value) => boolean): boolean;
}

/** A value that may be absent. */
export class Optional {
  static readonly none = new Optional(undefined);
  readonly value: Value | undefined;

  constructor(value: Value | undefined) {
    this.value = value;
  }
}

/** A value of a library of functions: a quantity, an address. */
export abstract class Opaque {
  abstract readonly typeName: string;
  /** What `size` in costs takes for it; default 1. */
  readonly costSize?: number;
  abstract equals(other: Opaque): boolean;
}

/** What went wrong. Passes on through everything but `&&`, `||` and conditions that need not ask. */
export class CelError {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

/** An evaluation has used up what it may cost. */
export class CostLimitError extends Error {
  constructor() {
    super('operation cancelled: actual cost limit exceeded');
  }
}

export const isError = (value: Value): value is CelError => value instanceof CelError;

/** The name of a value's type, as `type(x)` and messages show it. */
export function typeNameOf(value: Value): string {
  switch (typeof value) {
    case 'boolean':
      return 'bool';
    case 'bigint':
      return 'int';
    case 'number':
      return 'double';
    case 'string':
      return 'string';
    default:
      return nameOfObject(value);
  }
}

function nameOfObject(value: Exclude<Value, boolean | bigint | number | string>): string {
  if (value === null) return 'null_type';
  if (value instanceof Uint8Array) return 'bytes';
  if (value instanceof Uint) return 'uint';
  if (value instanceof Timestamp) return 'google.protobuf.Timestamp';
  if (value instanceof Duration) return 'google.protobuf.Duration';
  if (value instanceof TypeValue) return 'type';
  if (value instanceof CelList) return 'list';
  if (value instanceof Optional) return 'optional_type';
  if (value instanceof CelError) return 'error';
  return value.typeName;
}

/** Whether a value can stand for an argument of a type; what lists and maps hold is not looked at. */
export function fitsType(value: Value, { kind, name }: Type): boolean {
  if (kind === 'dyn' || kind === 'any' || kind === 'param') return true;
  if (kind === 'type') return value instanceof TypeValue;
  return typeNameOf(value) === name;
}

/** The number of parts of a value in costs: 1 for what has none. */
export function costSizeOf(value: Value): number {
  if (typeof value === 'string') return runeCount(value);
  if (typeof value !== 'object' || value === null) return 1;
  if (value instanceof Uint8Array) return value.length;
  if (value instanceof CelList || value instanceof CelMap) return value.size;
  if (value instanceof Optional) return value.value === undefined ? 1 : costSizeOf(value.value);
  if (value instanceof Opaque) return value.costSize ?? 1;
  return 1;
}

/** Code points of a text. */
export function runeCount(text: string): number {
  let count = text.length;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit >= 0xd800 && unit < 0xdc00) count -= 1;
  }
  return count;
}
