import { limits } from '../../limits.ts';
import { GoInt, type GoString, type GoValue } from '../go-values/go-value.ts';
import { printed } from '../go-values/print.ts';
import { quoted } from '../go-values/quoted.ts';
import { Held, isTrue, opened, type Value } from './functions/value.ts';
import type { Branch, Node, TemplateCall } from './parse/node.ts';
import type { Templates } from './parse/parser.ts';
import { templateName } from './parse/template-error.ts';
import { Pipelines, type PipelinesOptions } from './pipelines.ts';

/** What a template is run with. */
export type RunOptions = Omit<PipelinesOptions, 'name'>;

/** Writes a template about `data`, part by part. Throws `TemplateError` in the words of Go's `text/template`. */
export function runTemplate(
  templates: Templates,
  data: GoValue,
  options: RunOptions,
  write: (text: GoString) => void,
): void {
  const run = new Run({ templates, name: templateName, depth: 0, options, write });
  run.walkAll(data ?? undefined);
}

/** What ends a range, or a turn of it. */
type Jump = 'break' | 'continue' | undefined;

/** A template that runs. */
interface RunState {
  templates: Templates;
  name: GoString;
  depth: number;
  options: RunOptions;
  write(text: GoString): void;
}

class Run {
  readonly #state: RunState;
  readonly #pipelines: Pipelines;
  #depth: number;

  constructor(state: RunState) {
    this.#state = state;
    this.#depth = state.depth;
    this.#pipelines = new Pipelines({ ...state.options, name: state.name });
  }

  /** All of the template, with `dot` as `$` too. */
  walkAll(dot: Value): void {
    this.#pipelines.push('$', dot);
    this.#walkList(dot, this.#state.templates.get(this.#state.name) ?? []);
  }

  #walkList(dot: Value, list: readonly Node[]): Jump {
    this.#depth += 1;
    for (const node of list) {
      const jump = this.#walk(dot, node);
      if (jump) {
        this.#depth -= 1;
        return jump;
      }
    }
    this.#depth -= 1;
    return undefined;
  }

  #walk(dot: Value, node: Node): Jump {
    switch (node.kind) {
      case 'text':
        this.#state.write(node.text);
        return undefined;
      case 'action': {
        const value = this.#pipelines.evaluate(dot, node.pipe);
        if (node.pipe.variables.length === 0) this.#state.write(shown(value));
        return undefined;
      }
      case 'break':
      case 'continue':
        return node.kind;
      case 'template':
        return this.#call(dot, node);
      case 'range':
        return this.#range(dot, node);
      default:
        return this.#choose(dot, node);
    }
  }

  /** `if` and `with`. */
  #choose(dot: Value, { kind, pipe, list, elseList }: Branch): Jump {
    const mark = this.#pipelines.mark();
    const value = this.#pipelines.evaluate(dot, pipe);
    const jump = isTrue(value)
      ? this.#walkList(kind === 'with' ? value : dot, list)
      : this.#walkList(dot, elseList ?? []);
    this.#pipelines.pop(mark);
    return jump;
  }

  #range(dot: Value, branch: Branch): Jump {
    const outer = this.#pipelines.mark();
    const over = opened(this.#pipelines.evaluate(dot, branch.pipe));
    const mark = this.#pipelines.mark();
    let isEmpty = true;
    for (const [key, element] of this.#elements(over, branch)) {
      isEmpty = false;
      this.#pipelines.setRange(branch.pipe, key, element);
      const jump = this.#walkList(element, branch.list);
      this.#pipelines.pop(mark);
      if (jump === 'break') break;
    }
    const jump = isEmpty ? this.#walkList(dot, branch.elseList ?? []) : undefined;
    this.#pipelines.pop(outer);
    return jump;
  }

  *#elements(over: ReturnType<typeof opened>, { pipe }: Branch): Generator<[Value, Value]> {
    if (over === undefined) return;
    if (Array.isArray(over)) {
      for (const [at, element] of over.entries()) yield [new GoInt(at), new Held(element)];
    } else if (over instanceof Map) {
      for (const [key, element] of over) yield [key, new Held(element)];
    } else if (over instanceof GoInt) {
      if (pipe.variables.length > 1)
        throw this.#pipelines.wrong(`can't use ${over.value} to iterate over more than one variable`);
      for (let at = 0n; at < over.value; at += 1n) yield [undefined, new GoInt(at, over.type)];
    } else throw this.#pipelines.wrong(`range can't iterate over ${printed(over)}`);
  }

  #call(dot: Value, call: TemplateCall): undefined {
    this.#pipelines.at(call);
    const { templates, options, write } = this.#state;
    if (!templates.has(call.name)) throw this.#pipelines.wrong(`template ${quoted(call.name)} not defined`);
    if (this.#depth >= limits.templateDepthMax)
      throw this.#pipelines.wrong(`exceeded maximum template depth (${limits.templateDepthMax})`);
    const value = call.pipe ? this.#pipelines.evaluate(dot, call.pipe) : undefined;
    new Run({ templates, name: call.name, depth: this.#depth, options, write }).walkAll(value);
  }
}

function shown(value: Value): GoString {
  const inside = opened(value);
  return inside === undefined ? '<no value>' : printed(inside);
}
