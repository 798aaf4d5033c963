/**
 * Expressions of CEL as Kubernetes has them: with its libraries, under costs. No package of npm's bounds what an evaluation
 * costs, and none reads the whole language (optional entries), so parser, checker and evaluator are ours. Needs
 * `loadPatternEngine`.
 */
import { checkExpression } from './check/checker.ts';
import { estimateCost, type SizeOf } from './cost/estimate.ts';
import type { CostRange } from './cost/ranges.ts';
import { type Program, programOf } from './evaluate/program.ts';
import { type Functions, functionsOf, type Overload } from './functions.ts';
import { authorizationLibrary } from './kubernetes/authorization.ts';
import { formatLibrary } from './kubernetes/formats.ts';
import { networkLibrary } from './kubernetes/networks.ts';
import { quantityLibrary } from './kubernetes/quantities.ts';
import { regexLibrary } from './kubernetes/regex.ts';
import { urlLibrary } from './kubernetes/urls.ts';
import { versionLibrary } from './kubernetes/versions.ts';
import { conversionLibrary } from './library/conversions.ts';
import { listLibrary } from './library/lists.ts';
import { operators } from './library/operators.ts';
import { optionalLibrary } from './library/optionals.ts';
import { stringLibrary } from './library/strings.ts';
import { parseExpression } from './syntax/parser.ts';
import type { Type } from './types.ts';

/** What expressions may name. */
export interface EnvironmentOptions {
  variables: Readonly<Record<string, Type>>;
  /** Fields of object types; none unless said otherwise. */
  fieldType?(objectName: string, field: string): Type | undefined;
  /** Whether expressions may make objects of that name; its fields are those above. None unless said otherwise. */
  isStruct?(name: string): boolean;
  /** Functions beside those that all expressions have. */
  library?: readonly Overload[];
  /** Whether expressions may name what they work out: `cel.bind`. Default false. */
  hasBindings?: boolean;
}

/** An expression that has been read and found sound. */
export interface Expression extends Program {
  /** What it yields. */
  type: Type;
  /** The variables that it reads. */
  references: ReadonlySet<string>;
  /** What a run may cost, by the sizes that its inputs may have. */
  estimate(sizeOf: SizeOf): CostRange;
}

/** All functions that expressions have everywhere. */
export const libraries: readonly (readonly Overload[])[] = [
  ...[operators, conversionLibrary, stringLibrary, listLibrary, optionalLibrary],
  ...[quantityLibrary, networkLibrary, urlLibrary, regexLibrary, versionLibrary, formatLibrary],
  authorizationLibrary,
];
const functions = functionsOf(libraries);

export class Environment {
  readonly #variables: ReadonlyMap<string, Type>;
  readonly #fieldType: (objectName: string, field: string) => Type | undefined;
  readonly #isStruct: (name: string) => boolean;
  readonly #functions: Functions;
  readonly #hasBindings: boolean;

  constructor({
    variables,
    fieldType = () => undefined,
    isStruct = () => false,
    library,
    hasBindings = false,
  }: EnvironmentOptions) {
    this.#isStruct = isStruct;
    this.#hasBindings = hasBindings;
    this.#functions = library ? functionsOf([...libraries, library]) : functions;
    this.#variables = new Map(Object.entries(variables));
    this.#fieldType = fieldType;
  }

  /** Throws CompileError with all that is wrong with it. */
  compile(text: string): Expression {
    const root = parseExpression(text, { hasBindings: this.#hasBindings });
    const checked = checkExpression(text, root, {
      ...{ variables: this.#variables, functions: this.#functions },
      ...{ fieldType: this.#fieldType, isStruct: this.#isStruct },
    });
    const { type, references } = checked;
    const program = programOf(checked);
    return { ...program, type, references, estimate: (sizeOf) => estimateCost(checked, sizeOf) };
  }
}
