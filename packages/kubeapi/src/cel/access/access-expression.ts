import { celRunCostMax } from '../../limits.ts';
import type { Environment, Expression } from '../environment.ts';
import { CompileError } from '../syntax/ast.ts';
import { showType } from '../types.ts';
import { CostLimitError, isError, type Value } from '../values/value.ts';

/** An expression is none, or has come to no answer. What stands in tokens and requests is not in its message. */
export class AccessExpressionError extends Error {
  override readonly name = 'AccessExpressionError';
}

/** What one is compiled with. */
export interface AccessExpressionOptions {
  environment: Environment;
  /** The only one that it may name. */
  variable: string;
  /** Whether it has to yield a truth, as far as that can be known. */
  isTruth: boolean;
  /** Whether what it yields instead is told, as upstream does of webhooks' conditions and not of tokens. */
  tellsType?: boolean;
}

/** An expression about who asks, and for what. */
export class AccessExpression {
  readonly text: string;
  readonly #program: Expression;
  readonly #variable: string;

  /** Throws {@link AccessExpressionError} with what is wrong in upstream's words. Needs `loadPatternEngine`. */
  constructor(text: string, { environment, variable, isTruth, tellsType }: AccessExpressionOptions) {
    this.text = text;
    this.#variable = variable;
    try {
      this.#program = environment.compile(text);
    } catch (error) {
      if (!(error instanceof CompileError)) throw error;
      throw new AccessExpressionError(`compilation failed: ${error.message}`);
    }
    const { type } = this.#program;
    if (!isTruth || type.kind === 'bool') return;
    const told = tellsType ? ` but got ${showType(type)}` : '';
    throw new AccessExpressionError(`must evaluate to bool${told}`);
  }

  /** Throws {@link AccessExpressionError} where it comes to an error, or a run costs too much. */
  evaluate(input: Value): Value {
    const value = this.#run(input);
    if (!isError(value)) return value;
    throw new AccessExpressionError(`expression '${this.text}' comes to an error`);
  }

  /** Whether it holds; throws as above, and where it says neither. */
  holds(input: Value): boolean {
    const value = this.evaluate(input);
    if (typeof value === 'boolean') return value;
    throw new AccessExpressionError(`expression '${this.text}' does not come to true or false`);
  }

  #run(input: Value): Value {
    try {
      const activation = (name: string) => (name === this.#variable ? input : undefined);
      return this.#program.evaluate(activation, celRunCostMax).value;
    } catch (error) {
      if (!(error instanceof CostLimitError)) throw error;
      throw new AccessExpressionError(`expression '${this.text}' costs too much`);
    }
  }
}
