/** Regular expressions of kustomizations: in Go's syntax, and in time that grows with the text alone. */
import { RE2JS, RE2JSException } from 're2js';
import { KustomizeError } from './errors.ts';

/** True where the expression is found in the text. */
export type Pattern = (text: string) => boolean;

/** Throws KustomizeError for what is no expression. */
export function compilePattern(expression: string): Pattern {
  try {
    const compiled = RE2JS.compile(expression);
    return (text) => compiled.matcher(text).find();
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    throw new KustomizeError(error.message, { cause: error });
  }
}
