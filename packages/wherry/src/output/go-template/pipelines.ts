import type { GoString } from '../go-values/go-value.ts';
import { quoted } from '../go-values/quoted.ts';
import { functionNamed, type Parameter } from './functions/functions.ts';
import { Held, isNilInterface, isTrue, opened, typeOf, type Value } from './functions/value.ts';
import { type Command, type Named, type Operand, type Pipe, shownNode } from './parse/node.ts';
import { TemplateError, templateName } from './parse/template-error.ts';

/** Stands for the argument that a pipeline hands on, where there is none. */
const none = Symbol('none');
type Final = Value | typeof none;

/** What pipelines of one running template need to know. */
export interface PipelinesOptions {
  /** Of the template that runs. */
  name: GoString;
  /** The whole text, in which messages tell places. */
  source: GoString;
  /** True where a key that is not there is an error. */
  refusesMissingKeys: boolean;
}

/** Finds out values of pipelines, and holds the variables of one running template. */
export class Pipelines {
  readonly #options: PipelinesOptions;
  readonly #variables: { name: GoString; value: Value }[] = [];
  /** What messages say where it goes wrong. */
  #node: Named | undefined;

  constructor(options: PipelinesOptions) {
    this.#options = options;
  }

  push(name: GoString, value: Value): void {
    this.#variables.push({ name, value });
  }

  /** How many variables there are, for {@link Pipelines.pop}. */
  mark(): number {
    return this.#variables.length;
  }

  pop(mark: number): void {
    this.#variables.length = mark;
  }

  /** Gives the variables of a range their values for one turn. */
  setRange({ variables, isAssignment }: Pipe, key: Value, element: Value): void {
    const [first, second] = variables;
    if (first === undefined) return;
    const values = second === undefined ? [element] : [key, element];
    variables.forEach((name, at) => {
      if (isAssignment) this.#set(name, values[at]);
      else {
        const slot = this.#variables.at(at - variables.length);
        if (slot) slot.value = values[at];
      }
    });
  }

  /** Says where the template is, for {@link Pipelines.wrong}. */
  at(node: Named): void {
    this.#node = node;
  }

  wrong(problem: GoString): TemplateError {
    const { name, source } = this.#options;
    if (!this.#node) return new TemplateError(`template: ${name}: ${problem}`);
    const before = source.slice(0, this.#node.at);
    const line = before.split('\n').length;
    const place = `${templateName}:${line}:${before.length - before.lastIndexOf('\n') - 1}`;
    return new TemplateError(
      `template: ${place}: executing ${quoted(name)} at <${shownNode(this.#node)}>: ${problem}`,
    );
  }

  /** The value of the last command; declares and sets what the pipeline says. */
  evaluate(dot: Value, pipe: Pipe): Value {
    this.at(pipe);
    let final: Final = none;
    for (const command of pipe.commands) final = opened(this.#command(dot, command, final));
    const value = final === none ? undefined : final;
    for (const name of pipe.variables) {
      if (pipe.isAssignment) this.#set(name, value);
      else this.push(name, value);
    }
    return value;
  }

  #set(name: GoString, value: Value): void {
    const variable = this.#variables.findLast((one) => one.name === name);
    if (!variable) throw this.wrong(`undefined variable: ${name}`);
    variable.value = value;
  }

  #command(dot: Value, command: Command, final: Final): Value {
    const [first, ...rest] = command.operands;
    const isCalled = rest.length > 0 || final !== none;
    if (first.kind === 'identifier') {
      this.at(first);
      return this.#call({ dot, name: first.name, node: command, operands: rest, final });
    }
    if (first.kind === 'field' || first.kind === 'chain') return this.#fields(dot, first, isCalled);
    if (first.kind === 'variable' && first.names.length > 1) return this.#fields(dot, first, isCalled);
    if (first.kind !== 'pipe') this.at(first);
    if (isCalled) throw this.wrong(`can't give argument to non-function ${shownNode(first)}`);
    if (first.kind === 'nil') throw this.wrong('nil is not a command');
    return this.#operand(dot, first);
  }

  /** What an operand that stands alone is. */
  #operand(dot: Value, operand: Operand): Value {
    if (operand.kind === 'pipe') return this.evaluate(dot, operand);
    this.at(operand);
    switch (operand.kind) {
      case 'identifier':
        return this.#call({ dot, name: operand.name, node: operand, operands: [], final: none });
      case 'field':
      case 'chain':
        return this.#fields(dot, operand, false);
      case 'variable':
        return operand.names.length > 1
          ? this.#fields(dot, operand, false)
          : this.#variable(operand.names[0]);
      case 'boolean':
      case 'string':
        return operand.value;
      case 'number':
        if (operand.value === 'tooGreat') throw this.wrong(`${operand.source} overflows int`);
        return operand.value;
      case 'dot':
        return dot;
      case 'nil':
        return undefined;
    }
  }

  #variable(name: GoString = ''): Value {
    const variable = this.#variables.findLast((one) => one.name === name);
    if (!variable) throw this.wrong(`undefined variable: ${name}`);
    return variable.value;
  }

  /** `.a.b`, `$x.a`, `(pipeline).a`; `isCalled` where arguments follow, which no value of JSON takes. */
  #fields(dot: Value, node: Extract<Operand, { names: GoString[] }>, isCalled: boolean): Value {
    this.at(node);
    let [receiver, names] = [dot, node.names];
    if (node.kind === 'variable') [receiver, names] = [this.#variable(names[0]), names.slice(1)];
    if (node.kind === 'chain') receiver = this.#operand(dot, node.of);
    names.forEach((name, at) => {
      receiver = this.#field(receiver, name, isCalled && at === names.length - 1);
    });
    return receiver;
  }

  #field(receiver: Value, name: GoString, isCalled: boolean): Value {
    const { refusesMissingKeys } = this.#options;
    if (receiver === undefined) {
      if (refusesMissingKeys) throw this.wrong(`nil data; no entry for key ${quoted(name)}`);
      return undefined;
    }
    if (isNilInterface(receiver)) throw this.wrong(`nil pointer evaluating ${typeOf(receiver)}.${name}`);
    const fields = opened(receiver);
    if (!(fields instanceof Map))
      throw this.wrong(`can't evaluate field ${name} in type ${typeOf(receiver)}`);
    if (isCalled) throw this.wrong(`${name} is not a method but has arguments`);
    const value = fields.get(name);
    if (value !== undefined) return new Held(value);
    if (refusesMissingKeys) throw this.wrong(`map has no entry for key ${quoted(name)}`);
    return undefined;
  }

  #call(call: Call): Value {
    const { dot, name, node, operands, final } = call;
    const called = functionNamed(name);
    if (!called) return this.#andOr(call);
    const { parameters, rest } = called;
    const count = operands.length + (final === none ? 0 : 1);
    if (rest ? count < parameters.length : count !== parameters.length)
      throw this.#wrongCount(call, parameters.length, rest !== undefined);
    const typeAt = (at: number) => parameters[at] ?? rest ?? 'any';
    const values = operands.map((operand, at) => this.#argument(dot, operand, typeAt(at)));
    if (final !== none) values.push(this.#fitting(final, typeAt(operands.length)));
    const [first] = operands;
    const callee = first ? shownNode(first) : final === none ? '' : shownFinal(final);
    try {
      return called.run(values, [callee]);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      this.at(node);
      throw this.wrong(`error calling ${name}: ${error.message}`);
    }
  }

  /** Looks at one argument after the other, until one decides. */
  #andOr(call: Call): Value {
    const { dot, name, operands, final } = call;
    if (operands.length === 0 && final === none) throw this.#wrongCount(call, 1, true);
    let value: Value;
    for (const operand of operands) {
      value = this.#argument(dot, operand, 'value');
      if (isTrue(value) === (name === 'or')) return value;
    }
    return final === none ? value : final;
  }

  #wrongCount({ name, operands, final }: Call, wanted: number, isLeast: boolean): TemplateError {
    const given = operands.length + (isLeast || final === none ? 0 : 1);
    const words = `wrong number of args for ${name}`;
    return this.wrong(`${words}: want ${isLeast ? `at least ${wanted}` : wanted} got ${given}`);
  }

  /** An argument of a function. */
  #argument(dot: Value, operand: Operand, type: Parameter): Value {
    this.at(operand);
    if (operand.kind === 'nil') {
      if (type === 'string') throw this.wrong('cannot assign nil to string');
      return type === 'any' ? new Held(null) : undefined;
    }
    const isLiteral = operand.kind === 'boolean' || operand.kind === 'number';
    if (type === 'string' && isLiteral) throw this.wrong(`expected string; found ${shownNode(operand)}`);
    return this.#fitting(this.#operand(dot, operand), type);
  }

  /** A value as a function takes it. */
  #fitting(value: Value, type: Parameter): Value {
    if (type === 'value') return value;
    if (type === 'any') return value === undefined ? new Held(null) : value;
    if (value === undefined) throw this.wrong('invalid value; expected string');
    const text = opened(value);
    if (typeof text === 'string') return text;
    throw this.wrong(`wrong type for value; expected string; got ${typeOf(text ?? value)}`);
  }
}

/** A call, and what its messages name. */
interface Call {
  dot: Value;
  name: GoString;
  node: Named;
  operands: readonly Operand[];
  final: Final;
}

/** What Go says of a value that it is asked to call. */
function shownFinal(value: Value): GoString {
  const inside = opened(value);
  if (inside === undefined) return '<invalid Value>';
  return typeof inside === 'string' ? inside : `<${typeOf(inside)} Value>`;
}
