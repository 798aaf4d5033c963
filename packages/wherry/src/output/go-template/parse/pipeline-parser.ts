import { limits } from '../../../limits.ts';
import type { GoString } from '../../go-values/go-value.ts';
import { quoted } from '../../go-values/quoted.ts';
import { isFunction } from '../functions/functions.ts';
import { numberLiteral, runeLiteral, unquote } from './literals.ts';
import { type Command, type Operand, type Pipe, shownNode } from './node.ts';
import { TemplateError, templateName } from './template-error.ts';
import { shownToken, type Token, type TokenKind } from './token.ts';
import type { TokenReader } from './token-reader.ts';

/** Kinds that a command can begin with. */
const operandKinds: ReadonlySet<TokenKind> = new Set<TokenKind>([
  ...(['boolean', 'rune', 'dot', 'field', 'identifier', 'number', 'nil'] as const),
  ...(['rawString', 'string', 'variable', 'leftParenthesis'] as const),
]);

/** Reads what stands in an action: commands, their arguments, and variables. */
export class PipelineParser {
  /** The variables that there are, with their `$`. */
  readonly variables: GoString[] = ['$'];
  /** The line that the action began in; 0 outside of one. */
  actionLine = 0;
  readonly #tokens: TokenReader;
  #parentheses = 0;

  constructor(tokens: TokenReader) {
    this.#tokens = tokens;
  }

  /** Up to `end`; `context` is what messages call it. */
  pipeline(context: string, end: 'right' | 'rightParenthesis'): Pipe {
    const { at } = this.#tokens.peekBehindSpace();
    const pipe: Pipe = { kind: 'pipe', at, isAssignment: false, variables: [], commands: [] };
    this.#declarations(pipe, context);
    for (;;) {
      const token = this.#tokens.nextBehindSpace();
      if (token.kind === end) break;
      if (!operandKinds.has(token.kind)) throw this.unexpected(token, context);
      this.#tokens.back(token);
      pipe.commands.push(this.#command());
    }
    if (pipe.commands.length === 0) throw this.wrong(`missing value for ${context}`);
    pipe.commands.forEach(({ operands: [{ kind }] }, at) => {
      if (at > 0 && ['boolean', 'dot', 'nil', 'number', 'string'].includes(kind))
        throw this.wrong(`non executable command in pipeline stage ${at + 1}`);
    });
    return pipe;
  }

  /** Takes what ends an action. */
  expectRight(context: string): void {
    const token = this.#tokens.nextBehindSpace();
    if (token.kind !== 'right') throw this.unexpected(token, context);
  }

  /** What a literal says, with its `SyntaxError` as a problem of the template. */
  literal<T>(read: () => T): T {
    try {
      return read();
    } catch (error) {
      if (error instanceof SyntaxError) throw this.wrong(error.message);
      throw error;
    }
  }

  /** A token that cannot stand here. */
  unexpected(token: Token, context: string): TemplateError {
    if (token.kind !== 'problem') return this.wrong(`unexpected ${shownToken(token)} in ${context}`);
    const isElsewhere = this.actionLine !== 0 && this.actionLine !== token.line;
    const started = ` started at ${templateName}:${this.actionLine}`;
    const where = !isElsewhere ? '' : token.text.endsWith(' action') ? started : ` in action${started}`;
    return this.wrong(token.text + where);
  }

  wrong(problem: GoString): TemplateError {
    return new TemplateError(`template: ${templateName}:${this.#tokens.line}: ${problem}`);
  }

  /** `$x :=`, `$x =`, and of a range `$i, $x :=`. */
  #declarations(pipe: Pipe, context: string): void {
    for (;;) {
      const variable = this.#tokens.peekBehindSpace();
      if (variable.kind !== 'variable') return;
      this.#tokens.next();
      const behind = this.#tokens.peek();
      const next = this.#tokens.peekBehindSpace();
      const isComma = next.kind === 'character' && next.text === ',';
      if (next.kind !== 'assign' && next.kind !== 'declare' && !isComma) {
        this.#tokens.back(...(behind.kind === 'space' ? [variable, behind] : [variable]));
        return;
      }
      this.#tokens.nextBehindSpace();
      pipe.variables.push(variable.text);
      this.variables.push(variable.text);
      if (!isComma) {
        pipe.isAssignment = next.kind === 'assign';
        return;
      }
      if (context !== 'range' || pipe.variables.length > 1)
        throw this.wrong(`too many declarations in ${context}`);
      if (!['variable', 'right', 'rightParenthesis'].includes(this.#tokens.peekBehindSpace().kind))
        throw this.wrong('range can only initialize variables');
    }
  }

  #command(): Command {
    const { at } = this.#tokens.peekBehindSpace();
    const operands: Operand[] = [];
    for (;;) {
      this.#tokens.peekBehindSpace();
      const operand = this.#operand();
      if (operand) operands.push(operand);
      const token = this.#tokens.next();
      if (token.kind === 'space') continue;
      if (token.kind === 'right' || token.kind === 'rightParenthesis') this.#tokens.back(token);
      else if (token.kind !== 'pipe') throw this.unexpected(token, 'operand');
      break;
    }
    const [first, ...more] = operands;
    if (!first) throw this.wrong('empty command');
    return { kind: 'command', at, operands: [first, ...more] };
  }

  /** A term and the fields behind it. */
  #operand(): Operand | undefined {
    const term = this.#term();
    const first = this.#tokens.peek();
    if (!term || first.kind !== 'field') return term;
    const names: GoString[] = [];
    while (this.#tokens.peek().kind === 'field') names.push(this.#tokens.next().text.slice(1));
    switch (term.kind) {
      case 'field':
      case 'variable':
        return { kind: term.kind, at: first.at, names: [...term.names, ...names] };
      case 'boolean':
      case 'string':
      case 'number':
      case 'nil':
      case 'dot':
        throw this.wrong(`unexpected . after term ${quoted(shownNode(term))}`);
      default:
        return { kind: 'chain', at: first.at, of: term, names };
    }
  }

  #term(): Operand | undefined {
    const token = this.#tokens.nextBehindSpace();
    const { at, text } = token;
    switch (token.kind) {
      case 'identifier':
        if (!isFunction(text)) throw this.wrong(`function ${quoted(text)} not defined`);
        return { kind: 'identifier', at, name: text };
      case 'dot':
      case 'nil':
        return { kind: token.kind, at };
      case 'variable':
        if (!this.variables.includes(text)) throw this.wrong(`undefined variable ${quoted(text)}`);
        return { kind: 'variable', at, names: [text] };
      case 'field':
        return { kind: 'field', at, names: [text.slice(1)] };
      case 'boolean':
        return { kind: 'boolean', at, value: text === 'true' };
      case 'rune':
        return { kind: 'number', at, source: text, value: this.literal(() => runeLiteral(text)) };
      case 'number':
        return { kind: 'number', at, source: text, value: this.literal(() => numberLiteral(text)) };
      case 'string':
      case 'rawString':
        return { kind: 'string', at, source: text, value: this.literal(() => unquote(text)) };
      case 'leftParenthesis': {
        if (this.#parentheses >= limits.templateNestingMax) throw this.wrong('max expression depth exceeded');
        this.#parentheses += 1;
        const pipe = this.pipeline('parenthesized pipeline', 'rightParenthesis');
        this.#parentheses -= 1;
        return pipe;
      }
      default:
        this.#tokens.back(token);
        return undefined;
    }
  }
}
