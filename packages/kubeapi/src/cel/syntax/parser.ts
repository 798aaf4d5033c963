/** Reads expressions (the CEL specification, "Syntax", with optional values). */
import { runeCount, Uint, type Value } from '../values/value.ts';
import { CompileError, type Entry, type Expression, type StructField } from './ast.ts';
import { TreeBuilder } from './builder.ts';
import { type Token, tokensOf } from './lexer.ts';
import { expandMacro, type MacroOptions } from './macros.ts';

/** Longer texts are refused, as cel-go does. */
const codePointsMax = 100_000;
const reserved = new Set([
  ...['as', 'break', 'const', 'continue', 'else', 'for', 'function', 'if', 'import', 'let', 'loop'],
  ...['package', 'namespace', 'return', 'var', 'void', 'while'],
]);
const relations = ['<', '<=', '>=', '>', '==', '!=', 'in'];
const operandStarts =
  "{'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}";
const intMax = 2n ** 63n - 1n;
const uintMax = 2n ** 64n - 1n;

/** The tree of an expression. Throws CompileError. */
export function parseExpression(text: string, macros: MacroOptions = {}): Expression {
  const size = runeCount(text);
  if (size > codePointsMax) {
    const message = `expression code point size exceeds limit: size: ${size}, limit ${codePointsMax}`;
    throw new CompileError(text, [{ at: 0, message }]);
  }
  return new Parser(text, macros).whole();
}

class Parser {
  readonly #tokens: readonly Token[];
  readonly #builder: TreeBuilder;
  /** Of parentheses and their like, which leave no trace in the tree. */
  #nesting = 0;
  #next = 0;
  readonly #macros: MacroOptions;

  constructor(text: string, macros: MacroOptions) {
    this.#macros = macros;
    this.#tokens = tokensOf(text);
    this.#builder = new TreeBuilder(text);
  }

  whole(): Expression {
    const expression = this.#expression();
    const { kind, text, at } = this.#token;
    if (kind !== 'end') this.#fail(at, `extraneous input '${text}' expecting <EOF>`);
    return expression;
  }

  get #token(): Token {
    return this.#tokens[this.#next]!;
  }

  #fail(at: number, message: string): never {
    return this.#builder.fail(at, `Syntax error: ${message}`);
  }

  #take(): Token {
    const token = this.#token;
    this.#next += 1;
    return token;
  }

  #isAt(...texts: string[]): boolean {
    const { kind, text } = this.#token;
    return (kind === 'operator' || kind === 'name') && texts.includes(text);
  }

  #skip(text: string): boolean {
    if (!this.#isAt(text)) return false;
    this.#next += 1;
    return true;
  }

  #expect(expected: string): Token {
    const { text, at } = this.#token;
    if (!this.#isAt(expected)) this.#fail(at, `mismatched input '${text}' expecting '${expected}'`);
    return this.#take();
  }

  #expression(): Expression {
    this.#nesting += 1;
    if (this.#nesting > 250) this.#builder.fail(this.#token.at, 'expression recursion limit exceeded: 250');
    const condition = this.#terms('_||_', '||', () => this.#terms('_&&_', '&&', () => this.#relation()));
    let expression = condition;
    if (this.#isAt('?')) {
      const { at } = this.#take();
      const yes = this.#terms('_||_', '||', () => this.#terms('_&&_', '&&', () => this.#relation()));
      this.#expect(':');
      expression = this.#builder.call(at, '_?_:_', [condition, yes, this.#expression()]);
    }
    this.#nesting -= 1;
    return expression;
  }

  #terms(name: string, operator: string, term: () => Expression): Expression {
    const terms = [term()];
    const operators: number[] = [];
    while (this.#isAt(operator)) {
      operators.push(this.#take().at);
      terms.push(term());
    }
    return this.#builder.balanced(name, terms, operators);
  }

  #relation(): Expression {
    return this.#leftToRight(relations, () => this.#sum());
  }

  #sum(): Expression {
    return this.#leftToRight(['+', '-'], () => this.#leftToRight(['*', '/', '%'], () => this.#unary()));
  }

  #leftToRight(operators: readonly string[], operand: () => Expression): Expression {
    let left = operand();
    while (this.#isAt(...operators)) {
      const { text, at } = this.#take();
      left = this.#builder.call(at, text === 'in' ? '@in' : `_${text}_`, [left, operand()]);
    }
    return left;
  }

  #unary(): Expression {
    const { at } = this.#token;
    for (const operator of ['!', '-']) {
      let count = 0;
      while (this.#skip(operator)) count += 1;
      if (count === 0) continue;
      const { kind } = this.#token;
      if (operator === '-' && (kind === 'int' || kind === 'double')) {
        const operand = this.#member(this.#number(this.#take(), at, true));
        return count % 2 === 1 ? operand : this.#builder.call(at, '-_', [operand]);
      }
      const operand = this.#member(this.#primary());
      return count % 2 === 1 ? this.#builder.call(at, `${operator}_`, [operand]) : operand;
    }
    return this.#member(this.#primary());
  }

  #member(start: Expression): Expression {
    let operand = start;
    for (;;) {
      if (this.#isAt('.')) operand = this.#field(operand);
      else if (this.#isAt('[')) {
        const { at } = this.#take();
        const name = this.#skip('?') ? '_[?_]' : '_[_]';
        const index = this.#expression();
        this.#expect(']');
        operand = this.#builder.call(at, name, [operand, index]);
      } else return operand;
    }
  }

  #field(operand: Expression): Expression {
    const { at } = this.#take();
    if (this.#skip('?')) {
      const name = this.#fieldName();
      const field = this.#builder.make(name.at, { kind: 'literal', value: name.text });
      return this.#builder.call(at, '_?._', [operand, field]);
    }
    const name = this.#fieldName();
    if (!this.#isAt('('))
      return this.#builder.make(at, { kind: 'select', operand, field: name.text, isTest: false });
    const open = this.#take();
    return this.#called(open.at, name.text, this.#list(')'), operand);
  }

  #fieldName(): Token {
    const { kind, text, at } = this.#token;
    const isWord = kind === 'name' && !['in', 'true', 'false', 'null'].includes(text);
    if (!isWord) this.#fail(at, `no viable alternative at input '.${text}'`);
    return this.#take();
  }

  #called(at: number, name: string, args: readonly Expression[], target?: Expression): Expression {
    const call = this.#builder.call(at, name, args, target);
    return expandMacro(this.#builder, call, this.#macros) ?? call;
  }

  #primary(): Expression {
    const token = this.#take();
    const { kind, text, at } = token;
    const literal = (value: Value) => this.#builder.make(at, { kind: 'literal', value });
    if (kind === 'string') return literal(text);
    if (kind === 'bytes') return literal(token.bytes);
    if (kind === 'int' || kind === 'uint' || kind === 'double') return this.#number(token, at, false);
    if (kind === 'name') return this.#named(token);
    if (text === '(') {
      const inner = this.#expression();
      this.#expect(')');
      return inner;
    }
    if (text === '[') return this.#listLiteral(at);
    if (text === '{') return this.#mapLiteral(at);
    if (text === '.' && this.#token.kind === 'name') return this.#named(this.#take());
    return this.#fail(at, `mismatched input '${text}' expecting ${operandStarts}`);
  }

  #named({ text, at }: Token): Expression {
    if (text === 'true' || text === 'false')
      return this.#builder.make(at, { kind: 'literal', value: text === 'true' });
    if (text === 'null') return this.#builder.make(at, { kind: 'literal', value: null });
    if (text === 'in') this.#fail(at, `mismatched input 'in' expecting ${operandStarts}`);
    if (this.#isAt('(')) {
      const open = this.#take();
      return this.#called(open.at, text, this.#list(')'));
    }
    const structName = this.#structName(text);
    if (structName !== undefined) return this.#struct(structName);
    if (reserved.has(text)) this.#builder.fail(at, `reserved identifier: ${text}`);
    return this.#builder.ident(at, text);
  }

  /** `a.b.C{`, where names lead up to a brace. */
  #structName(first: string): string | undefined {
    const names = [first];
    let at = this.#next;
    while (this.#tokens[at]?.text === '.' && this.#tokens[at + 1]?.kind === 'name') {
      names.push(this.#tokens[at + 1]!.text);
      at += 2;
    }
    const { kind, text } = this.#tokens[at]!;
    if (kind !== 'operator' || text !== '{') return undefined;
    this.#next = at;
    return names.join('.');
  }

  #struct(name: string): Expression {
    const open = this.#expect('{');
    const fields: StructField[] = [];
    while (!this.#isAt('}')) {
      const isOptional = this.#skip('?');
      const field = this.#fieldName();
      // Complaints about a field point at its colon, as cel-go's do.
      const { at } = this.#expect(':');
      fields.push({ at, name: field.text, value: this.#expression(), isOptional });
      if (!this.#skip(',')) break;
    }
    this.#expect('}');
    return this.#builder.make(open.at, { kind: 'struct', name, fields });
  }

  #list(end: string): Expression[] {
    const items: Expression[] = [];
    if (this.#skip(end)) return items;
    do items.push(this.#expression());
    while (this.#skip(','));
    this.#expect(end);
    return items;
  }

  #listLiteral(at: number): Expression {
    const items: Expression[] = [];
    const optional = new Set<number>();
    while (!this.#isAt(']')) {
      if (this.#skip('?')) optional.add(items.length);
      items.push(this.#expression());
      if (!this.#skip(',')) break;
    }
    this.#expect(']');
    return this.#builder.make(at, { kind: 'list', items, optional });
  }

  #mapLiteral(at: number): Expression {
    const entries: Entry[] = [];
    while (!this.#isAt('}')) {
      const isOptional = this.#skip('?');
      const key = this.#expression();
      this.#expect(':');
      entries.push({ key, value: this.#expression(), isOptional });
      if (!this.#skip(',')) break;
    }
    this.#expect('}');
    return this.#builder.map(at, entries);
  }

  #number({ kind, text }: Token, at: number, isNegative: boolean): Expression {
    const make = (value: Value) => this.#builder.make(at, { kind: 'literal', value });
    if (kind === 'double') return make(isNegative ? -Number(text) : Number(text));
    const size = BigInt(text.replace(/[uU]$/, ''));
    if (kind === 'uint') {
      if (size > uintMax) this.#builder.fail(at, 'invalid uint literal');
      return make(new Uint(size));
    }
    if (size > (isNegative ? intMax + 1n : intMax)) this.#builder.fail(at, 'invalid int literal');
    return make(isNegative ? -size : size);
  }
}
