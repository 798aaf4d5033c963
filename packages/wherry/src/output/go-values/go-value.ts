/** What Go has in its memory for a value of JSON, as kubectl decodes it. */
export type GoValue = GoString | boolean | GoInt | number | null | GoValue[] | GoMap;

/** Go's strings are bytes, which need not be UTF-8: a character for each byte, 0 to 255. */
export type GoString = string;

/** A `map[string]interface {}`; its keys stand in the order of their bytes. */
export type GoMap = ReadonlyMap<GoString, GoValue>;

/** A whole number, of a type: what JSON has is an `int64`, what a template says an `int`. A `number` is a `float64`. */
export class GoInt {
  readonly value: bigint;
  readonly type: 'int' | 'int64' | 'uint8';

  constructor(value: bigint | number, type: GoInt['type'] = 'int') {
    this.value = BigInt(value);
    this.type = type;
  }
}

/** The bytes that a text has in UTF-8. */
export const goString = (text: string): GoString => Buffer.from(text).toString('latin1');

/** The text that these bytes are in UTF-8. */
export const textOf = (bytes: GoString): string => Buffer.from(bytes, 'latin1').toString();

/** What JSON says, as Go has it: whole numbers that 64 bits hold are integers. */
export function goValue(json: unknown): GoValue {
  if (typeof json === 'string') return goString(json);
  if (typeof json === 'bigint') return new GoInt(json, 'int64');
  if (typeof json === 'number') return isInt64(json) ? new GoInt(json, 'int64') : json;
  if (Array.isArray(json)) return json.map(goValue);
  if (typeof json !== 'object' || json === null) return typeof json === 'boolean' ? json : null;
  const entries = Object.entries(json).map(([key, value]): [GoString, GoValue] => [
    goString(key),
    goValue(value),
  ]);
  return new Map(entries.sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** The name of a value's type in Go; of no value, what `%T` says of it. */
export function goType(value: GoValue): string {
  if (value === null) return '<nil>';
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'number') return 'float64';
  if (value instanceof GoInt) return value.type;
  return Array.isArray(value) ? '[]interface {}' : 'map[string]interface {}';
}

const isInt64 = (value: number): boolean => Number.isInteger(value) && value >= -(2 ** 63) && value < 2 ** 63;
