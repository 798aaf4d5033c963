import type { Overload } from '../functions.ts';
import type { Expression } from '../syntax/ast.ts';
import type { Type } from '../types.ts';
import type { TypeValue } from '../values/value.ts';

/** An expression of which everything is known that can be before it runs. */
export interface CheckedExpression {
  text: string;
  root: Expression;
  type: Type;
  /** By the part's id. */
  types: ReadonlyMap<number, Type>;
  /** By the call's id: which forms it may be of. */
  overloads: ReadonlyMap<number, readonly Overload[]>;
  /** Calls whose target is a part of the function's name. */
  qualified: ReadonlyMap<number, string>;
  /** Selections that are the name of a variable, by the part's id. */
  variableNames: ReadonlyMap<number, string>;
  /** Names of types, by the part that names one. */
  typeNames: ReadonlyMap<number, TypeValue>;
  /** Variables that it reads. */
  references: ReadonlySet<string>;
}
