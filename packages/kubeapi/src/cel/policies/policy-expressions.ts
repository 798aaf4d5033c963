/** Expressions of admission policies and of webhooks' conditions: compiled together, run under one budget. */
import { celRunCostMax } from '../../limits.ts';
import { Environment, type Expression } from '../environment.ts';
import { CompileError } from '../syntax/ast.ts';
import { dyn, showType, type Type } from '../types.ts';
import { CelError, CelObject, CostLimitError, isError, type Value } from '../values/value.ts';
import { inputValues, type PolicyInputs } from './inputs.ts';
import { isPatchType, patchFieldType, patchLibrary } from './patch-types.ts';
import { policyVariables, variablesType } from './policy-variables.ts';

/** What an expression has to yield; `string` is that of a message. */
export type Wanted = 'bool' | 'string' | 'string or null' | 'any' | 'Object' | 'list(JSONPatch)';

/** An expression, or why it is none. */
export interface PolicyExpression {
  text: string;
  program: Expression | undefined;
  /** In upstream's words. */
  error: string | undefined;
}

const goName = (type: string) => (type === 'null' ? 'null_type' : type);

/** The expressions of one policy. Needs `loadPatternEngine`. */
export class PolicyExpressions {
  readonly #environment: Environment;
  /** Of expressions that word a message: nobody is asked about access for it. */
  readonly #wording: Environment;
  /** Of expressions that make patches. */
  readonly #patching: Environment;
  readonly #types = new Map<string, Type>();
  readonly #variables = new Map<string, PolicyExpression>();

  /** Without `hasVariables` they can't name `variables`, as conditions of webhooks and of policies can't. */
  constructor({ hasParams, hasVariables = false }: { hasParams: boolean; hasVariables?: boolean }) {
    const facts = {
      object: dyn,
      params: hasParams ? dyn : undefined,
      variableType: hasVariables ? (name: string) => this.#types.get(name) : undefined,
    };
    const options = policyVariables(facts);
    this.#environment = new Environment(options);
    this.#wording = new Environment(policyVariables({ ...facts, hasAuthorizer: false }));
    this.#patching = new Environment({
      ...options,
      fieldType: (owner, field) => patchFieldType(owner, field) ?? options.fieldType(owner, field),
      isStruct: isPatchType,
      library: patchLibrary,
    });
  }

  /** From now on `variables.NAME`. */
  define(name: string, text: string): PolicyExpression {
    const defined = this.compile(text, 'any');
    this.#variables.set(name, defined);
    this.#types.set(name, defined.program?.type ?? dyn);
    return defined;
  }

  compile(text: string, wanted: Wanted): PolicyExpression {
    try {
      const program = this.#environmentFor(wanted).compile(text);
      const shown = showType(program.type);
      const types = wanted === 'string or null' ? ['string', 'null'] : [wanted];
      if (wanted === 'any' || types.includes(shown)) return { text, program, error: undefined };
      const named = types.map(goName);
      const list = named.length === 1 ? named[0] : `one of [${named.join(' ')}]`;
      return { text, program: undefined, error: `must evaluate to ${list} but got ${goName(shown)}` };
    } catch (error) {
      if (!(error instanceof CompileError)) throw error;
      return { text, program: undefined, error: `compilation failed: ${error.message}` };
    }
  }

  #environmentFor(wanted: Wanted): Environment {
    if (wanted === 'string') return this.#wording;
    return wanted === 'Object' || wanted === 'list(JSONPatch)' ? this.#patching : this.#environment;
  }

  /** Of one request; all runs together may cost `costMax`. */
  evaluation(inputs: PolicyInputs, costMax: number): PolicyEvaluation {
    return new PolicyEvaluation(this.#variables, inputs, costMax);
  }
}

/** The budget is used up: nothing more is looked at. */
export class PolicyBudgetError extends Error {
  constructor() {
    super('validation failed due to running out of cost budget, no further validation rules will be run');
  }
}

/** What the expressions of a policy come to for one request. */
export class PolicyEvaluation {
  readonly #values: (name: string) => Value | undefined;
  readonly #variables: Variables;
  #left: number;

  constructor(variables: ReadonlyMap<string, PolicyExpression>, inputs: PolicyInputs, costMax: number) {
    this.#values = inputValues(inputs);
    this.#left = costMax;
    this.#variables = new Variables(variables, (expression) => {
      try {
        return this.run(expression);
      } catch (error) {
        if (error instanceof PolicyFailure) return new CelError(error.message);
        throw error;
      }
    });
  }

  /** Throws PolicyFailure when it comes to nothing, PolicyBudgetError when all that it may cost has been spent. */
  run({ program, error, text }: PolicyExpression): Value {
    if (!program) throw new PolicyFailure(`compilation error: ${error}`);
    try {
      const { value, cost } = program.evaluate(
        (name) => (name === 'variables' ? this.#variables : this.#values(name)),
        Math.min(celRunCostMax, this.#left),
      );
      this.#left -= cost;
      if (isError(value)) throw new PolicyFailure(`expression '${text}' resulted in error: ${value.message}`);
      return value;
    } catch (failure) {
      if (!(failure instanceof CostLimitError)) throw failure;
      if (this.#left < celRunCostMax) throw new PolicyBudgetError();
      this.#left -= celRunCostMax;
      throw new PolicyFailure(`expression '${text}' resulted in error: ${failure.message}`);
    }
  }
}

/** An expression has come to no value. */
export class PolicyFailure extends Error {}

/** Each is worked out once, when it is asked for. */
class Variables extends CelObject {
  readonly typeName = variablesType.name;
  readonly #expressions: ReadonlyMap<string, PolicyExpression>;
  readonly #run: (expression: PolicyExpression) => Value;
  readonly #known = new Map<string, Value>();

  constructor(
    expressions: ReadonlyMap<string, PolicyExpression>,
    run: (expression: PolicyExpression) => Value,
  ) {
    super();
    this.#expressions = expressions;
    this.#run = run;
  }

  get(name: string): Value | undefined {
    const expression = this.#expressions.get(name);
    if (!expression) return undefined;
    if (!this.#known.has(name)) this.#known.set(name, this.#run(expression));
    return this.#known.get(name);
  }

  fields(): Iterable<string> {
    return this.#expressions.keys();
  }
}
