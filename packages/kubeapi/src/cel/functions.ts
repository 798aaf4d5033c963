/** Functions as libraries declare them. */
import type { Type } from './types.ts';
import type { Value } from './values/value.ts';

/** What a function does; none of its arguments is an error, and each has the type that is declared. */
export type Implementation = (...args: never[]) => Value;

/** One form of a function. */
export interface Overload {
  readonly name: string;
  readonly id: string;
  readonly isMember: boolean;
  /** With the target first. */
  readonly args: readonly Type[];
  readonly result: Type;
  /** Absent: the evaluator itself does it. */
  readonly implementation: Implementation | undefined;
}

/** A function `name(…)`, or an operator. */
export function declare(
  name: string,
  id: string,
  args: readonly Type[],
  result: Type,
  implementation?: Implementation,
): Overload {
  return { name, id, isMember: false, args, result, implementation };
}

/** A method `x.name(…)` of its first argument. */
export function method(
  name: string,
  id: string,
  args: readonly Type[],
  result: Type,
  implementation?: Implementation,
): Overload {
  return { name, id, isMember: true, args, result, implementation };
}

/** All forms of all functions, by name. */
export type Functions = ReadonlyMap<string, readonly Overload[]>;

export function functionsOf(libraries: readonly (readonly Overload[])[]): Functions {
  const functions = new Map<string, Overload[]>();
  for (const overload of libraries.flat()) {
    const known = functions.get(overload.name);
    if (known) known.push(overload);
    else functions.set(overload.name, [overload]);
  }
  return functions;
}
