/** Reads label selectors from text: `app=web,tier!=db,env in (a,b),!legacy,level>3` (apimachinery pkg/labels). */

import type { LabelSelector, LabelSelectorRequirement } from '../generated/types.ts';
import { ownValue, setOwn } from '../json/json-value.ts';
import { invalidValue, joinFieldErrors } from '../status/field-error.ts';
import { badRequest } from '../status/status-errors.ts';
import { labelValueFormat, qualifiedName } from '../validation/formats.ts';
import { LabelMatcher, type LabelOperator, type LabelRequirement } from './label-selector.ts';

interface Token {
  kind: 'identifier' | 'symbol' | 'end';
  text: string;
}

const operators = 'in, notin, =, ==, !=, gt, lt';
const symbolOperators: Record<string, LabelOperator> = {
  '=': 'In',
  '==': 'In',
  '!=': 'NotIn',
  '>': 'GreaterThan',
  '<': 'LessThan',
};

/** A matcher from text; the empty text matches everything. Throws a 400 StatusError with upstream's message. */
export function parseLabelSelector(text: string): LabelMatcher {
  return new LabelMatcher(new Parser(text).parse());
}

/**
 * A selector object from text, as upstream's clients make it: `=` says a label, all else an expression. Throws a 400 StatusError for
 * what is no selector, and for operators that such objects have not.
 */
export function labelSelectorFrom(text: string): LabelSelector {
  const parser = new Parser(text);
  const matchLabels: Record<string, string> = {};
  const matchExpressions: LabelSelectorRequirement[] = [];
  for (const requirement of parsedOf(text, parser)) {
    const { key, operator, values } = requirement;
    const symbol = parser.symbolOf(requirement);
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

function parsedOf(text: string, parser: Parser): LabelRequirement[] {
  try {
    return parser.parse();
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
  readonly #symbols = new Map<LabelRequirement, string>();
  #position = 0;

  constructor(text: string) {
    this.#tokens = tokenize(text);
  }

  /** How the operator of a requirement was written; undefined for one that is a word, or none. */
  symbolOf(requirement: LabelRequirement): string | undefined {
    return this.#symbols.get(requirement);
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
    return requirements.sort((left, right) => (left.key < right.key ? -1 : left.key > right.key ? 1 : 0));
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
    const symbol = operator.kind === 'symbol' ? ownValue(symbolOperators, operator.text) : undefined;
    if (symbol) {
      const requirement = checked({ key: key.text, operator: symbol, values: [this.#exactValue()] });
      this.#symbols.set(requirement, operator.text);
      return requirement;
    }
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
        const expected = expectsValue ? "',', ')' or identifier" : "',' or ')'";
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
  if (complaints.length > 0) throw inRequirement(sentence('<nil>', key, complaints.join('; ')));
}

function checked(requirement: LabelRequirement): LabelRequirement {
  const { key, operator, values } = requirement;
  for (const [index, value] of values.entries()) {
    const isNumeric = operator === 'GreaterThan' || operator === 'LessThan';
    if (isNumeric && !/^[+-]?\d{1,19}$/.test(value)) {
      const why = "for 'Gt', 'Lt' operators, the value must be an integer";
      throw inRequirement(sentence(`values[${index}]`, value, why));
    }
    const complaints = labelValueFormat(value);
    if (complaints.length > 0)
      throw inRequirement(sentence(`values[${index}][${key}]`, value, complaints.join('; ')));
  }
  return requirement;
}

const sentence = (field: string, value: string, why: string) =>
  joinFieldErrors([invalidValue(field, value, why)]);
const inRequirement = (why: string) => complain(`unable to parse requirement: ${why}`);
const complain = (why: string) => badRequest(why);
