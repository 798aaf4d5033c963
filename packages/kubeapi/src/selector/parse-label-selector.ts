/** Reads label selectors from text: `app=web,tier!=db,env in (a,b),!legacy,level>3` (apimachinery pkg/labels). */

import type { LabelSelector, LabelSelectorRequirement } from '../generated/types.ts';
import { setOwn } from '../json/json-value.ts';
import { invalidValue, joinFieldErrors } from '../status/field-error.ts';
import { badRequest } from '../status/status-errors.ts';
import { labelValueFormat, qualifiedName } from '../validation/formats.ts';
import { isInt64, LabelMatcher, type LabelRequirement, sortedByKey } from './label-selector.ts';

interface Token {
  kind: 'identifier' | 'symbol' | 'end';
  text: string;
}

const operators = 'in, notin, =, ==, !=, gt, lt';
const symbolOperators: ReadonlyMap<string, Required<Pick<LabelRequirement, 'operator' | 'symbol'>>> = new Map(
  [
    ['=', { operator: 'In', symbol: '=' }],
    ['==', { operator: 'In', symbol: '==' }],
    ['!=', { operator: 'NotIn', symbol: '!=' }],
    ['>', { operator: 'GreaterThan', symbol: '>' }],
    ['<', { operator: 'LessThan', symbol: '<' }],
  ],
);

/** A matcher from text; the empty text matches everything. Throws a 400 StatusError with upstream's message. */
export function parseLabelSelector(text: string): LabelMatcher {
  return new LabelMatcher(new Parser(text).parse());
}

/**
 * A selector object from text, as upstream's clients make it: `=` says a label, all else an expression. Throws a 400 StatusError for
 * what is no selector, and for operators that such objects have not.
 */
export function labelSelectorFrom(text: string): LabelSelector {
  const matchLabels: Record<string, string> = {};
  const matchExpressions: LabelSelectorRequirement[] = [];
  for (const requirement of parsedOf(text)) {
    const { key, operator, values, symbol } = requirement;
    if (symbol === '=' || symbol === '==') setOwn(matchLabels, key, values[0] ?? '');
    else if (symbol === '!=')
      throw badRequest(`${JSON.stringify(symbol)} is not a valid label selector operator`);
    else if (symbol !== undefined)
      throw badRequest(`"${symbol === '>' ? 'gt' : 'lt'}" isn't supported in label selectors`);
    else
      matchExpressions.push({
        key,
        operator: operator as 'In',
        ...(values.length > 0 ? { values: [...values] } : {}),
      });
  }
  return {
    ...(Object.keys(matchLabels).length > 0 ? { matchLabels } : {}),
    ...(matchExpressions.length > 0 ? { matchExpressions } : {}),
  };
}

function parsedOf(text: string): LabelRequirement[] {
  try {
    return new Parser(text).parse();
  } catch (error) {
    throw badRequest(`couldn't parse the selector string "${text}": ${(error as Error).message}`);
  }
}

function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  const pattern = /[ \t\r\n]*(?:(==|!=|[=!(),<>])|([^ \t\r\n=!(),<>]+))/y;
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    if (match[1] !== undefined) tokens.push({ kind: 'symbol', text: match[1] });
    else tokens.push({ kind: 'identifier', text: match[2]! });
  }
  return [...tokens, { kind: 'end', text: '' }];
}

class Parser {
  readonly #tokens: Token[];
  #position = 0;

  constructor(text: string) {
    this.#tokens = tokenize(text);
  }

  parse(): LabelRequirement[] {
    const requirements: LabelRequirement[] = [];
    while (this.#peek().kind !== 'end') {
      const token = this.#peek();
      if (token.kind !== 'identifier' && token.text !== '!') {
        throw complain(`found '${token.text}', expected: !, identifier, or 'end of string'`);
      }
      requirements.push(this.#requirement());
      this.#separator();
    }
    return sortedByKey(requirements);
  }

  #separator(): void {
    const token = this.#take();
    if (token.kind === 'end') this.#position--;
    else if (token.text !== ',') throw complain(`found '${token.text}', expected: ',' or 'end of string'`);
    else {
      const next = this.#peek();
      if (next.kind === 'identifier' || next.text === '!') return;
      throw complain(`found '${next.text}', expected: identifier after ','`);
    }
  }

  #requirement(): LabelRequirement {
    const isNegated = this.#peek().text === '!';
    if (isNegated) this.#position++;
    const key = this.#take();
    if (key.kind !== 'identifier') throw inRequirement(`found '${key.text}', expected: identifier`);
    checkKey(key.text);
    const next = this.#peek();
    const isBare = next.kind === 'end' || next.text === ',';
    if (isNegated || isBare) {
      return { key: key.text, operator: isNegated ? 'DoesNotExist' : 'Exists', values: [] };
    }
    const operator = this.#take();
    const symbol = symbolOperators.get(operator.text);
    if (symbol) return checked({ key: key.text, ...symbol, values: [this.#exactValue()] });
    if (operator.text === 'in') return checked({ key: key.text, operator: 'In', values: this.#values() });
    if (operator.text === 'notin')
      return checked({ key: key.text, operator: 'NotIn', values: this.#values() });
    throw inRequirement(`found '${operator.text}', expected: ${operators}`);
  }

  #exactValue(): string {
    const token = this.#peek();
    if (token.kind === 'end' || token.text === ',') return '';
    if (token.kind !== 'identifier') throw inRequirement(`found '${token.text}', expected: identifier`);
    return this.#take().text;
  }

  #values(): string[] {
    const open = this.#take();
    if (open.text !== '(') throw inRequirement(`found '${open.text}' expected: '('`);
    const values = new Set<string>();
    let expectsValue = true;
    for (;;) {
      const token = this.#take();
      if (token.kind === 'identifier' && expectsValue) {
        values.add(token.text);
        expectsValue = false;
      } else if (token.text === ',' || token.text === ')') {
        if (expectsValue) values.add('');
        if (token.text === ')') return [...values].sort();
        expectsValue = true;
      } else {
        const behindComma = values.size === 0 ? "',', ')' or identifier" : "',', or identifier";
        const expected = expectsValue ? behindComma : "',' or ')'";
        throw inRequirement(`found '${token.text}', expected: ${expected}`);
      }
    }
  }

  #peek(): Token {
    return this.#tokens[this.#position]!;
  }

  #take(): Token {
    const token = this.#tokens[this.#position]!;
    if (token.kind !== 'end') this.#position++;
    else this.#position = this.#tokens.length;
    return token;
  }
}

function checkKey(key: string): void {
  const complaints = qualifiedName(key);
  if (complaints.length > 0)
    throw inRequirement(joinFieldErrors([invalidValue('<nil>', key, complaints.join('; '))]));
}

function checked(requirement: LabelRequirement): LabelRequirement {
  const { key, operator, values } = requirement;
  const isNumeric = operator === 'GreaterThan' || operator === 'LessThan';
  const why = "for 'Gt', 'Lt' operators, the value must be an integer";
  const errors = [
    ...values.flatMap((value, index) =>
      isNumeric && !isInt64(value) ? [invalidValue(`values[${index}]`, value, why)] : [],
    ),
    ...values.flatMap((value, index) => {
      const complaints = labelValueFormat(value);
      return complaints.length > 0
        ? [invalidValue(`values[${index}][${key}]`, value, complaints.join('; '))]
        : [];
    }),
  ];
  if (errors.length > 0) throw inRequirement(joinFieldErrors(errors));
  return requirement;
}

const inRequirement = (why: string) => complain(`unable to parse requirement: ${why}`);
const complain = (why: string) => badRequest(why);
