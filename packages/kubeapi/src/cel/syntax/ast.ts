/** Expressions as trees, macros written out. */
import type { Value } from '../values/value.ts';

/** A part of an expression. `at` is its place in the text, in UTF-16 units. */
export type Expression = { readonly id: number; readonly at: number } & ExpressionForm;

export type ExpressionForm =
  | { readonly kind: 'literal'; readonly value: Value }
  | { readonly kind: 'ident'; readonly name: string }
  | {
      readonly kind: 'select';
      readonly operand: Expression;
      readonly field: string;
      readonly isTest: boolean;
    }
  | Call
  | { readonly kind: 'list'; readonly items: readonly Expression[]; readonly optional: ReadonlySet<number> }
  | { readonly kind: 'map'; readonly entries: readonly Entry[] }
  | { readonly kind: 'struct'; readonly name: string; readonly fields: readonly StructField[] }
  | Comprehension;

/** A function, an operator (`_+_`) or a method (with a target). */
export interface Call {
  readonly kind: 'call';
  readonly name: string;
  readonly target: Expression | undefined;
  readonly args: readonly Expression[];
}

export interface Entry {
  readonly key: Expression;
  readonly value: Expression;
  readonly isOptional: boolean;
}

export interface StructField {
  readonly at: number;
  readonly name: string;
  readonly value: Expression;
  readonly isOptional: boolean;
}

/** What all loops of macros come to. */
export interface Comprehension {
  readonly kind: 'comprehension';
  readonly range: Expression;
  readonly variable: string;
  /** With two, the first is the key or index. */
  readonly variable2: string | undefined;
  readonly accumulator: string;
  readonly initial: Expression;
  readonly condition: Expression;
  readonly step: Expression;
  readonly result: Expression;
}

/** The accumulator of macros, which no expression can name. */
export const accumulator = '@result';
/** The variable of loops that have none. */
export const unusedVariable = '#unused';

/** The list that is sorted by a macro. */
export const sortedVariable = '@__sortBy_input__';

/** One complaint about a text. */
export interface Issue {
  readonly at: number;
  readonly message: string;
}

/** The text is no expression, or not one of the types that are asked for. */
export class CompileError extends Error {
  readonly issues: readonly Issue[];

  constructor(text: string, issues: readonly Issue[]) {
    const sorted = [...issues].sort((left, right) => left.at - right.at);
    super(sorted.map((issue) => shownIssue(text, issue)).join('\n'));
    this.issues = sorted;
  }
}

/** The complaint, the line and a mark under it, as cel-go shows them. */
function shownIssue(text: string, { at, message }: Issue): string {
  const before = text.slice(0, at);
  const lines = before.split('\n');
  const column = [...lines.at(-1)!].length;
  const line = text.split('\n')[lines.length - 1]!.replaceAll('\t', ' ');
  return `ERROR: <input>:${lines.length}:${column + 1}: ${message}\n | ${line}\n | ${'.'.repeat(column)}^`;
}
