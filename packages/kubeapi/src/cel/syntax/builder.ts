/** Makes the parts of trees, and keeps them from growing too deep. */
import { type Call, CompileError, type Entry, type Expression, type ExpressionForm } from './ast.ts';

/** As deep as a tree may be: it is walked by functions that call themselves. */
const depthMax = 250;

export class TreeBuilder {
  readonly #text: string;
  readonly #depths = new WeakMap<Expression, number>();
  #lastId = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Throws CompileError when the tree gets too deep. */
  make(at: number, form: ExpressionForm): Expression {
    this.#lastId += 1;
    const made: Expression = { id: this.#lastId, at, ...form };
    const depth = 1 + Math.max(0, ...partsOf(form).map((part) => this.#depths.get(part) ?? 0));
    if (depth > depthMax) this.fail(at, `expression recursion limit exceeded: ${depthMax}`);
    this.#depths.set(made, depth);
    return made;
  }

  call(at: number, name: string, args: readonly Expression[], target?: Expression): Expression & Call {
    return this.make(at, { kind: 'call', name, target, args }) as Expression & Call;
  }

  ident(at: number, name: string): Expression {
    return this.make(at, { kind: 'ident', name });
  }

  list(at: number, items: readonly Expression[] = []): Expression {
    return this.make(at, { kind: 'list', items, optional: new Set<number>() });
  }

  map(at: number, entries: readonly Entry[] = []): Expression {
    return this.make(at, { kind: 'map', entries });
  }

  /** Terms of `&&` or `||` as a tree that is as flat as may be. */
  balanced(name: string, terms: readonly Expression[], operators: readonly number[]): Expression {
    if (terms.length === 1) return terms[0]!;
    const middle = Math.ceil(terms.length / 2);
    const left = this.balanced(name, terms.slice(0, middle), operators.slice(0, middle - 1));
    const right = this.balanced(name, terms.slice(middle), operators.slice(middle));
    return this.call(operators[middle - 1]!, name, [left, right]);
  }

  fail(at: number, message: string): never {
    throw new CompileError(this.#text, [{ at, message }]);
  }
}

/** What stands right below in the tree. */
export function partsOf(form: ExpressionForm): readonly Expression[] {
  switch (form.kind) {
    case 'select':
      return [form.operand];
    case 'call':
      return form.target ? [form.target, ...form.args] : form.args;
    case 'list':
      return form.items;
    case 'map':
      return form.entries.flatMap(({ key, value }) => [key, value]);
    case 'struct':
      return form.fields.map(({ value }) => value);
    case 'comprehension':
      return [form.range, form.initial, form.condition, form.step, form.result];
    default:
      return [];
  }
}
