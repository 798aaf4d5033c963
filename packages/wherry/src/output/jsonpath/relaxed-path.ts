import { CommandError } from '../../errors.ts';
import { JsonPathError } from './jsonpath-error.ts';
import { parseTemplate, type Template } from './parse.ts';
import { findValues } from './template.ts';

/** `{.a.b}`, `{a.b}`, `.a.b` or `a.b` (kubectl pkg/cmd/get: RelaxedJSONPathExpression). Throws `CommandError`. */
export function relaxedPath(text: string): Template {
  const [, braced, bare] = /^\{\.?([^{}]+)\}$|^\.?([^{}]+)$/.exec(text) ?? [];
  const path = braced ?? bare;
  if (path === undefined && text !== '')
    throw new CommandError(
      "unexpected path string, expected a 'name1.name2' or '.name1.name2' or '{name1.name2}' or '{.name1.name2}'",
    );
  return asCommandErrors(() => parseTemplate(path === undefined ? '' : `{.${path}}`));
}

/** What such a path finds. Throws `CommandError`. */
export const valuesAt = (path: Template, document: unknown): readonly unknown[] =>
  asCommandErrors(() => findValues(path, document));

function asCommandErrors<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof JsonPathError ? new CommandError(error.message, { cause: error }) : error;
  }
}
