/** Templates about a value: their actions one after another, with `range` and `end` (client-go util/jsonpath: FindResults). */
import { goValue, textOf } from '../go-values/go-value.ts';
import { printed } from '../go-values/print.ts';
import { goJson } from '../json.ts';
import { evaluate, type Walk } from './evaluate.ts';
import { JsonPathError } from './jsonpath-error.ts';
import type { Action, Template } from './parse.ts';

/** How a template treats what it is given. */
export interface TemplateOptions {
  /** A field that nothing has is a mistake. Default: it is written as nothing. */
  refusesMissingKeys?: boolean;
}

/** What each action of the template finds, in the order that it is written. Throws {@link JsonPathError}. */
export function findResults(
  template: Template,
  document: unknown,
  options: TemplateOptions = {},
): (readonly unknown[])[] {
  return new Run(template, options).from(0, document);
}

/** What the first action finds. Throws {@link JsonPathError}. */
export const findValues = (template: Template, document: unknown): readonly unknown[] =>
  findResults(template, document)[0] ?? [];

/** Writes the template about a value. Throws {@link JsonPathError}. */
export const writeTemplate = (template: Template, document: unknown, options?: TemplateOptions): string =>
  findResults(template, document, options)
    .map((values) => values.map(writeValue).join(' '))
    .join('');

/** Lists of what each action finds. */
export const writeAsJson = (template: Template, document: unknown, options?: TemplateOptions): string =>
  findResults(template, document, options)
    .map((values) => `${goJson(values, 4)}\n`)
    .join('');

/** A value as kubectl writes it: objects and lists as JSON, the rest as Go prints it. */
export function writeValue(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === undefined) return '<no value>';
  if (value === null) return 'null';
  return typeof value === 'object' ? goJson(value) : textOf(printed(goValue(value)));
}

/** One use of a template; how far it has gone into ranges. */
class Run {
  readonly #actions: readonly Action[];
  readonly #walk: Walk;
  #begins = 0;
  #depth = 0;
  #ends = 0;
  #lastEnd = -1;

  constructor(actions: Template, { refusesMissingKeys = false }: TemplateOptions) {
    this.#actions = actions;
    this.#walk = { refusesMissingKeys, onWord: (word, values) => this.#onWord(word, values) };
  }

  #onWord(word: string, values: readonly unknown[]): readonly unknown[] {
    if (word === 'range') {
      this.#begins += 1;
      return values;
    }
    if (word !== 'end') throw new JsonPathError(`unrecognized identifier ${word}`);
    if (this.#depth === 0) throw new JsonPathError('not in range, nothing to end');
    this.#ends += 1;
    return [];
  }

  /** What the actions from there on find, up to the end of the range that they stand in. */
  from(start: number, document: unknown): (readonly unknown[])[] {
    const results: (readonly unknown[])[] = [];
    for (let at = start; at < this.#actions.length; at += 1) {
      const found = evaluate(this.#actions[at]!, [document], this.#walk);
      if (this.#ends > 0 && this.#ends <= this.#depth) {
        this.#ends -= 1;
        this.#lastEnd = at;
        break;
      }
      if (this.#begins === 0) {
        results.push(found);
        continue;
      }
      this.#begins -= 1;
      this.#depth += 1;
      for (const each of found) results.push(...this.from(at + 1, each ?? undefined));
      // What stands in a range of nothing is passed, so that its end is found.
      if (found.length === 0) this.from(at + 1, undefined);
      this.#depth -= 1;
      if (this.#lastEnd > at) at = this.#lastEnd;
    }
    return results;
  }
}
