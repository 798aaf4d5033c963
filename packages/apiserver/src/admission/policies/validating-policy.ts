import type {
  PolicyExpression,
  PolicyExpressions,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
  Validation,
} from '@wherry/kubeapi';
import type { BoundPolicy } from './policies.ts';

/** What a policy that looks at writes asks. */
export interface Checks {
  validations: readonly {
    validation: Validation;
    check: PolicyExpression;
    message: PolicyExpression | undefined;
  }[];
  annotations: readonly { key: string; value: PolicyExpression }[];
}

/** A policy that looks at writes. */
export type Policy = BoundPolicy<ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding> & Checks;

/** Its checks, compiled. */
export function checksOf({ spec }: ValidatingAdmissionPolicy, expressions: PolicyExpressions): Checks {
  const { validations = [], auditAnnotations = [] } = spec;
  return {
    validations: validations.map((validation) => ({
      validation,
      check: expressions.compile(validation.expression, 'bool'),
      message: validation.messageExpression
        ? expressions.compile(validation.messageExpression, 'string')
        : undefined,
    })),
    annotations: auditAnnotations.map(({ key, valueExpression }) => ({
      ...{ key, value: expressions.compile(valueExpression, 'string or null') },
    })),
  };
}
