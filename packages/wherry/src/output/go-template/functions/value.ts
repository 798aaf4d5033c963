import { type GoValue, goType } from '../../go-values/go-value.ts';

/** What an element of a map or a list is to Go: an `interface {}` that holds a value, or none. */
export class Held {
  readonly value: GoValue;

  constructor(value: GoValue) {
    this.value = value;
  }
}

/** A value while a template runs; undefined is what is not there, of which there is not even a type. */
export type Value = Held | Exclude<GoValue, null> | undefined;

/** What an interface holds; undefined where it holds nothing. */
export function opened(value: Value): Exclude<GoValue, null> | undefined {
  if (!(value instanceof Held)) return value;
  return value.value ?? undefined;
}

/** The name of the type; an interface has one of its own, whatever it holds. */
export const typeOf = (value: Exclude<Value, undefined>): string =>
  value instanceof Held ? 'interface {}' : goType(value);

/** True for an interface that holds nothing. */
export const isNilInterface = (value: Value): boolean => value instanceof Held && value.value === null;

/** What `if` and `and` take for true: what is there, and neither 0 nor empty. */
export function isTrue(value: Value): boolean {
  const inside = opened(value);
  if (inside === undefined) return false;
  if (typeof inside === 'boolean') return inside;
  if (typeof inside === 'string' || Array.isArray(inside)) return inside.length > 0;
  if (typeof inside === 'number') return inside !== 0;
  return inside instanceof Map ? inside.size > 0 : (inside as { value: bigint }).value !== 0n;
}
