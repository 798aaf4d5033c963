import { limits } from '../../../limits.ts';
import type { GoString } from '../../go-values/go-value.ts';
import { quoted } from '../../go-values/quoted.ts';
import { Lexer } from './lexer.ts';
import { unquote } from './literals.ts';
import type { Node, Pipe } from './node.ts';
import { PipelineParser } from './pipeline-parser.ts';
import { templateName } from './template-error.ts';
import type { Token } from './token.ts';
import { TokenReader } from './token-reader.ts';

/** Templates by their names: the whole as {@link templateName}, others by `define` and `block`. */
export type Templates = Map<GoString, Node[]>;

/** Reads a template. Throws `TemplateError` in the words of Go's `text/template`. */
export function parseTemplate(text: GoString): Templates {
  const templates: Templates = new Map();
  new Parser(new Lexer(text), templates).parseAll();
  return templates;
}

/** What ends a list: `else`, with the word behind it that goes on, or `end`. */
interface ListEnd {
  word: 'end' | 'else';
}

/** Reads one template, and those that are defined inside of it. */
class Parser {
  readonly #lexer: Lexer;
  readonly #templates: Templates;
  readonly #tokens: TokenReader;
  readonly #pipelines: PipelineParser;
  #ranges = 0;
  #depth: number;

  /** `depth` is how many lists stand around it. */
  constructor(lexer: Lexer, templates: Templates, depth = 0) {
    this.#lexer = lexer;
    this.#templates = templates;
    this.#depth = depth;
    this.#tokens = new TokenReader(lexer);
    this.#pipelines = new PipelineParser(this.#tokens);
  }

  parseAll(): void {
    const nodes: Node[] = [];
    while (this.#tokens.peek().kind !== 'end of text') {
      const left = this.#tokens.next();
      if (left.kind === 'left') {
        const word = this.#tokens.nextBehindSpace();
        if (isWord(word, 'define')) {
          new Parser(this.#lexer, this.#templates).parseDefinition();
          continue;
        }
        this.#tokens.back(left, word);
      } else this.#tokens.back(left);
      const node = this.#textOrAction();
      if ('word' in node) throw this.#wrong(`unexpected {{${node.word}}}`);
      nodes.push(node);
    }
    this.#add(templateName, nodes);
  }

  /** Behind `define`. */
  parseDefinition(): void {
    const context = 'define clause';
    const name = this.#nameIn(this.#tokens.nextBehindSpace(), context);
    this.#pipelines.expectRight(context);
    this.#defineAs(name, context, this);
  }

  #defineAs(name: GoString, context: string, owner: Parser): void {
    const { list, end } = this.#list();
    if (end.word !== 'end') throw owner.#wrong(`unexpected {{${end.word}}} in ${context}`);
    this.#add(name, list);
  }

  #add(name: GoString, nodes: Node[]): void {
    const old = this.#templates.get(name);
    if (!old || isEmpty(old)) this.#templates.set(name, nodes);
    else if (!isEmpty(nodes)) throw this.#wrong(`template: multiple definition of template ${quoted(name)}`);
  }

  /** Up to the `end` or `else` that ends it. */
  #list(): { list: Node[]; end: ListEnd } {
    this.#depth += 1;
    if (this.#depth > limits.templateNestingMax) throw this.#wrong('max expression depth exceeded');
    const list: Node[] = [];
    while (this.#tokens.peekBehindSpace().kind !== 'end of text') {
      const node = this.#textOrAction();
      if ('word' in node) {
        this.#depth -= 1;
        return { list, end: node };
      }
      list.push(node);
    }
    throw this.#wrong('unexpected EOF');
  }

  #textOrAction(): Node | ListEnd {
    const token = this.#tokens.nextBehindSpace();
    if (token.kind === 'text') return { kind: 'text', text: token.text };
    if (token.kind !== 'left') throw this.#pipelines.unexpected(token, 'input');
    this.#pipelines.actionLine = token.line;
    const node = this.#action();
    this.#pipelines.actionLine = 0;
    return node;
  }

  #action(): Node | ListEnd {
    const token = this.#tokens.nextBehindSpace();
    if (token.kind === 'keyword') {
      switch (token.text) {
        case 'if':
        case 'range':
        case 'with':
          return this.#branch(token.text);
        case 'break':
        case 'continue':
          return this.#jump(token.text);
        case 'else':
          return this.#else();
        case 'end':
          this.#pipelines.expectRight('end');
          return { word: 'end' };
        case 'block':
          return this.#block();
        case 'template':
          return this.#template();
      }
    }
    this.#tokens.back(token);
    const { at } = this.#tokens.peek();
    return { kind: 'action', at, pipe: this.#pipelines.pipeline('command', 'right') };
  }

  #branch(kind: 'if' | 'range' | 'with'): Node {
    const mark = this.#pipelines.variables.length;
    const pipe = this.#pipelines.pipeline(kind, 'right');
    if (kind === 'range') this.#ranges += 1;
    const { list, end } = this.#list();
    if (kind === 'range') this.#ranges -= 1;
    const elseList = end.word === 'else' ? this.#elseList(kind) : undefined;
    this.#pipelines.variables.length = mark;
    return { kind, pipe, list, elseList };
  }

  /** `else if` of an `if`, and `else with` of a `with`, share its `end`. */
  #elseList(kind: 'if' | 'range' | 'with'): Node[] {
    if (kind !== 'range' && isWord(this.#tokens.peek(), kind)) {
      this.#tokens.next();
      this.#depth += 1;
      if (this.#depth > limits.templateNestingMax) throw this.#wrong('max expression depth exceeded');
      const branch = this.#branch(kind);
      this.#depth -= 1;
      return [branch];
    }
    const { list, end } = this.#list();
    if (end.word !== 'end') throw this.#wrong(`expected end; found {{${end.word}}}`);
    return list;
  }

  #else(): ListEnd {
    const next = this.#tokens.peekBehindSpace();
    if (!isWord(next, 'if') && !isWord(next, 'with')) this.#pipelines.expectRight('else');
    return { word: 'else' };
  }

  #jump(kind: 'break' | 'continue'): Node {
    const token = this.#tokens.nextBehindSpace();
    if (token.kind !== 'right') throw this.#pipelines.unexpected(token, `{{${kind}}}`);
    if (this.#ranges === 0) throw this.#wrong(`{{${kind}}} outside {{range}}`);
    return { kind };
  }

  #block(): Node {
    const context = 'block clause';
    const token = this.#tokens.nextBehindSpace();
    const name = this.#nameIn(token, context);
    const pipe = this.#pipelines.pipeline(context, 'right');
    new Parser(this.#lexer, this.#templates, this.#depth).#defineAs(name, context, this);
    return { kind: 'template', at: token.at, name, pipe };
  }

  #template(): Node {
    const context = 'template clause';
    const token = this.#tokens.nextBehindSpace();
    const name = this.#nameIn(token, context);
    const next = this.#tokens.nextBehindSpace();
    let pipe: Pipe | undefined;
    if (next.kind !== 'right') {
      this.#tokens.back(next);
      pipe = this.#pipelines.pipeline(context, 'right');
    }
    return { kind: 'template', at: token.at, name, pipe };
  }

  #nameIn(token: Token, context: string): GoString {
    if (token.kind !== 'string' && token.kind !== 'rawString')
      throw this.#pipelines.unexpected(token, context);
    return this.#pipelines.literal(() => unquote(token.text));
  }

  #wrong(problem: GoString) {
    return this.#pipelines.wrong(problem);
  }
}

const isWord = ({ kind, text }: Token, word: string): boolean => kind === 'keyword' && text === word;

const isEmpty = (nodes: readonly Node[]): boolean =>
  nodes.every((node) => node.kind === 'text' && node.text.trim() === '');
