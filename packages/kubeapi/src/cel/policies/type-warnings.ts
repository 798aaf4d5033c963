/** What the types of objects say about a policy's expressions (upstream: plugin/policy/validating/typechecking.go). */
import type {
  ExpressionWarning,
  JSONSchemaProps,
  ValidatingAdmissionPolicySpec,
} from '../../generated/types.ts';
import { Environment } from '../environment.ts';
import { declaredType, fieldTypesOf } from '../schema/declared-type.ts';
import type { VersionedKind } from '../schema/openapi-schema.ts';
import { CompileError } from '../syntax/ast.ts';
import { dyn, type Type } from '../types.ts';
import { policyVariables } from './policy-variables.ts';

export { loadPatternEngine } from '../../values/pattern.ts';
export { schemaInDocument, type VersionedKind } from '../schema/openapi-schema.ts';

/** A kind that a policy is about. */
export interface CheckedKind extends VersionedKind {
  schema: JSONSchemaProps;
}

/** What is known of the objects that a policy's expressions see. */
export interface KnownTypes {
  kinds: readonly CheckedKind[];
  /** Of the parameters; undefined: nothing is known of them. */
  params: JSONSchemaProps | undefined;
}

/**
 * A warning for each expression of the validations that does not fit some of the kinds, as `status.typeChecking` has them.
 * Nothing is refused for it. Needs `loadPatternEngine`.
 */
export function typeWarnings(
  { validations = [], variables = [], paramKind }: ValidatingAdmissionPolicySpec,
  { kinds, params }: KnownTypes,
): ExpressionWarning[] {
  const hasParams = paramKind !== undefined;
  const checks = kinds.map((kind) => ({
    named: `${kind.group}/${kind.version}, Kind=${kind.kind}`,
    check: new TypeCheck(kind, { hasParams, params, variables }),
  }));
  return validations.flatMap((validation, index) =>
    (['expression', 'messageExpression'] as const).flatMap((field) => {
      const text = validation[field];
      if (text === undefined || text === '') return [];
      const complaints = checks.flatMap(({ named, check }) => {
        const complaint = check.complaintOf(text);
        return complaint === undefined ? [] : [`${named}: ${complaint}\n`];
      });
      if (complaints.length === 0) return [];
      return [{ fieldRef: `spec.validations[${index}].${field}`, warning: complaints.join('\n') }];
    }),
  );
}

/** The expressions of a policy for objects of one kind. */
class TypeCheck {
  readonly #environment: Environment;
  readonly #variables = new Map<string, Type>();

  constructor(
    { kind, schema }: CheckedKind,
    {
      hasParams,
      params,
      variables,
    }: {
      hasParams: boolean;
      params: JSONSchemaProps | undefined;
      variables: readonly { name: string; expression: string }[];
    },
  ) {
    const object = declaredType(schema, kind, true);
    const parameters = params && declaredType(params, 'params', true);
    const known = [object, parameters].flatMap((declared) => (declared ? [fieldTypesOf(declared)] : []));
    this.#environment = new Environment(
      policyVariables({
        object: object?.type ?? dyn,
        params: hasParams ? (parameters?.type ?? dyn) : undefined,
        variableType: (name) => this.#variables.get(name),
        fieldType: (owner, field) =>
          known.map((find) => find(owner, field)).find((type) => type !== undefined),
      }),
    );
    for (const { name, expression } of variables) this.#variables.set(name, this.#typeOf(expression));
  }

  /** Undefined where the expression fits. */
  complaintOf(text: string): string | undefined {
    try {
      this.#environment.compile(text);
      return undefined;
    } catch (error) {
      if (!(error instanceof CompileError)) throw error;
      return error.message;
    }
  }

  /** What is wrong with a variable is not said: as upstream, nothing is known of it then, nor of the fields of an object. */
  #typeOf(text: string): Type {
    try {
      return withoutObjects(this.#environment.compile(text).type);
    } catch (error) {
      if (!(error instanceof CompileError)) throw error;
      return dyn;
    }
  }
}

const plainKinds = new Set<Type['kind']>([
  ...(['null', 'bool', 'int', 'uint', 'double', 'string', 'bytes', 'timestamp', 'duration'] as const),
]);

function withoutObjects(type: Type): Type {
  if (type.kind === 'list' || type.kind === 'map')
    return { ...type, params: type.params.map(withoutObjects) };
  return plainKinds.has(type.kind) ? type : dyn;
}
