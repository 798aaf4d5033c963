import { GoInt, type GoString, type GoValue } from '../../go-values/go-value.ts';
import { printAll, printLine } from '../../go-values/print.ts';
import { printFormat } from '../../go-values/printf.ts';
import { base64Decode } from './base64.ts';
import { isAtLeast, isAtMost, isEqual, isGreater, isLess } from './comparison.ts';
import { exists, index, length, slice } from './elements.ts';
import { escapeHtml, escapeJs, escapeQuery, textOfAll } from './escapes.ts';
import { isTrue, opened, typeOf, type Value } from './value.ts';

/** What a function takes: whatever there is, a value without its interface, or a string. */
export type Parameter = 'value' | 'any' | 'string';

/** A function of templates. It throws `SyntaxError` with Go's words. */
export interface TemplateFunction {
  parameters: readonly Parameter[];
  /** Of what more there may be. */
  rest?: Parameter;
  run(values: Value[], names: readonly GoString[]): Value;
}

const two = ['value', 'value'] as const;
/** Runs a function of values that are there or are nil. */
const ofAny =
  (run: (values: GoValue[]) => Value) =>
  (values: Value[]): Value =>
    run(values.map((value) => opened(value) ?? null));

/** `and` and `or` are in {@link isFunction} alone: they look at one argument after the other. */
const functions: ReadonlyMap<GoString, TemplateFunction> = new Map<GoString, TemplateFunction>([
  ['base64decode', { parameters: ['string'], run: ([text]) => base64Decode(String(text)) }],
  ['call', { parameters: ['value'], rest: 'value', run: ([value], [name]) => call(value, name) }],
  ['eq', { parameters: ['value'], rest: 'value', run: ([first, ...more]) => isEqual(first, more) }],
  ['exists', { parameters: ['any'], rest: 'any', run: ([item, ...keys]) => exists(item, keys) }],
  ['ge', { parameters: two, run: ([one, other]) => isAtLeast(one, other) }],
  ['gt', { parameters: two, run: ([one, other]) => isGreater(one, other) }],
  ['html', { parameters: [], rest: 'any', run: ofAny((values) => escapeHtml(textOfAll(values))) }],
  ['index', { parameters: ['value'], rest: 'value', run: ([item, ...keys]) => index(item, keys) }],
  ['js', { parameters: [], rest: 'any', run: ofAny((values) => escapeJs(textOfAll(values))) }],
  ['le', { parameters: two, run: ([one, other]) => isAtMost(one, other) }],
  ['len', { parameters: ['value'], run: ([item]) => new GoInt(length(item)) }],
  ['lt', { parameters: two, run: ([one, other]) => isLess(one, other) }],
  ['ne', { parameters: two, run: ([one, other]) => !isEqual(one, [other]) }],
  ['not', { parameters: ['value'], run: ([value]) => !isTrue(value) }],
  ['print', { parameters: [], rest: 'any', run: ofAny(printAll) }],
  [
    'printf',
    {
      parameters: ['string'],
      rest: 'any',
      run: ofAny(([format, ...rest]) => printFormat(String(format), rest)),
    },
  ],
  ['println', { parameters: [], rest: 'any', run: ofAny(printLine) }],
  ['slice', { parameters: ['value'], rest: 'value', run: ([item, ...at]) => slice(item, at) }],
  ['urlquery', { parameters: [], rest: 'any', run: ofAny((values) => escapeQuery(textOfAll(values))) }],
]);

/** The function of this name; `and` and `or` are none. */
export const functionNamed = (name: GoString): TemplateFunction | undefined => functions.get(name);

/** True for what a template can call. */
export const isFunction = (name: GoString): boolean => functions.has(name) || name === 'and' || name === 'or';

/** No value of JSON is a function. */
function call(value: Value, name: GoString = ''): never {
  const callee = opened(value);
  if (callee === undefined) throw new SyntaxError('call of nil');
  throw new SyntaxError(`non-function ${name} of type ${typeOf(callee)}`);
}
