/** Field selectors: `spec.nodeName=n1,status.phase!=Failed` (apimachinery pkg/fields). */
import { isNumber, ownValue } from '../json/json-value.ts';
import { badRequest } from '../status/status-errors.ts';

/** One comparison of a field with a text. */
export interface FieldTerm {
  field: string;
  isEqual: boolean;
  value: string;
}

/** A conjunction of comparisons. An empty one matches everything. */
export class FieldMatcher {
  readonly terms: readonly FieldTerm[];

  constructor(terms: readonly FieldTerm[]) {
    this.terms = terms;
  }

  /** `textOf` gives a field of the object as text; an absent one counts as empty. */
  matches(textOf: (field: string) => string | undefined): boolean {
    return this.terms.every(({ field, isEqual, value }) => ((textOf(field) ?? '') === value) === isEqual);
  }

  /** The value that a field must equal, when there is one: lets a list become a get. */
  exactMatch(field: string): string | undefined {
    return this.terms.find((term) => term.field === field && term.isEqual)?.value;
  }

  /** The fields it looks at. */
  get fields(): string[] {
    return this.terms.map((term) => term.field);
  }

  /** True when it matches everything. */
  get isEmpty(): boolean {
    return this.terms.length === 0;
  }

  /** The text form, as query parameters carry it. */
  toString(): string {
    return this.terms
      .map(({ field, isEqual, value }) => `${field}${isEqual ? '=' : '!='}${escapeValue(value)}`)
      .join(',');
  }
}

const escapeValue = (value: string) => value.replace(/[\\,=]/g, '\\$&');

/** A matcher from text; `\,`, `\=` and `\\` are escapes. Throws a 400 StatusError with upstream's message. */
export function parseFieldSelector(text: string): FieldMatcher {
  const parts = splitTerms(text).filter((part) => part !== '');
  const terms = parts.sort().map((part) => parseTerm(part, text));
  return new FieldMatcher(terms.filter(({ field, value }) => field !== '' || value !== ''));
}

function splitTerms(text: string): string[] {
  return text.match(/(?:\\[\s\S]|[^,\\]|\\$)+/g) ?? [];
}

function parseTerm(part: string, text: string): FieldTerm {
  // Only values have escapes.
  const match = /^([\s\S]*?)(!=|==|=)([\s\S]*)$/.exec(part);
  if (!match) throw badRequest(`invalid selector: '${text}'; can't understand '${part}'`);
  const [, field = '', operator, value = ''] = match;
  return { field, isEqual: operator !== '!=', value: unescapeValue(value) };
}

function unescapeValue(value: string): string {
  return value.replace(/\\([\s\S]?)|[,=]/gu, (found: string, escaped?: string) => {
    // Upstream tells its number.
    if (escaped === undefined)
      throw badRequest(`invalid field selector: unescaped character in value: ${found.codePointAt(0)}`);
    if (escaped !== '' && '\\,='.includes(escaped)) return escaped;
    throw badRequest(`invalid field selector: invalid escape sequence: ${found}`);
  });
}

/** A field by its dotted path, as text: numbers and booleans are printed, anything else is absent. */
export function fieldText(object: object, path: string): string | undefined {
  let value: unknown = object;
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = ownValue(value as Record<string, unknown>, name);
  }
  return typeof value === 'string' || isNumber(value) || typeof value === 'boolean'
    ? String(value)
    : undefined;
}
