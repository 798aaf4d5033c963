import {
  type LabelMatcher,
  type MatchPolicyType,
  type MatchResources,
  matcherFrom,
  type NamedRuleWithOperations,
  type PolicyExpression,
  PolicyExpressions,
  type ValidatingAdmissionPolicy,
  type ValidatingAdmissionPolicyBinding,
  type Validation,
} from '@wherry/kubeapi';
import type { ObjectCache } from '../../objects/object-cache.ts';

/** Which requests something is about, ready to be matched. */
export interface Scope {
  rules: readonly NamedRuleWithOperations[];
  excluded: readonly NamedRuleWithOperations[];
  matchPolicy: MatchPolicyType;
  namespaces: LabelMatcher;
  objects: LabelMatcher;
}

/** A policy with what it is applied to, compiled. */
export interface Policy {
  definition: ValidatingAdmissionPolicy;
  scope: Scope;
  expressions: PolicyExpressions;
  conditions: readonly PolicyExpression[];
  validations: readonly {
    validation: Validation;
    check: PolicyExpression;
    message: PolicyExpression | undefined;
  }[];
  annotations: readonly { key: string; value: PolicyExpression }[];
  bindings: readonly { binding: ValidatingAdmissionPolicyBinding; scope: Scope | undefined }[];
}

/** The policies that are bound to anything, by name. */
export class Policies {
  readonly #definitions: ObjectCache<ValidatingAdmissionPolicy>;
  readonly #bindings: ObjectCache<ValidatingAdmissionPolicyBinding>;
  #generations = '';
  #policies: readonly Policy[] = [];

  constructor(
    definitions: ObjectCache<ValidatingAdmissionPolicy>,
    bindings: ObjectCache<ValidatingAdmissionPolicyBinding>,
  ) {
    this.#definitions = definitions;
    this.#bindings = bindings;
  }

  /** True when there is nothing to look at. */
  get isEmpty(): boolean {
    for (const _binding of this.#bindings.values()) return false;
    return true;
  }

  /** As the last acknowledged write has left them. Needs `loadPatternEngine`. */
  list(): readonly Policy[] {
    const generations = `${this.#definitions.generation} ${this.#bindings.generation}`;
    if (generations === this.#generations) return this.#policies;
    const bindings = [...this.#bindings.values()].sort(byName);
    this.#policies = [...this.#definitions.values()].sort(byName).flatMap((definition) => {
      const own = bindings.filter(({ spec }) => spec.policyName === definition.metadata.name);
      return own.length === 0 ? [] : [compiled(definition, own)];
    });
    this.#generations = generations;
    return this.#policies;
  }
}

type Named = { metadata: { name?: string } };

const byName = (left: Named, right: Named): number =>
  (left.metadata.name ?? '') < (right.metadata.name ?? '') ? -1 : 1;

function compiled(
  definition: ValidatingAdmissionPolicy,
  bindings: readonly ValidatingAdmissionPolicyBinding[],
): Policy {
  const { paramKind, matchConstraints = {}, matchConditions = [], variables = [] } = definition.spec;
  const { validations = [], auditAnnotations = [] } = definition.spec;
  const expressions = new PolicyExpressions({ hasParams: paramKind !== undefined });
  const conditions = matchConditions.map(({ expression }) => expressions.compile(expression, 'bool'));
  for (const { name, expression } of variables) expressions.define(name, expression);
  return {
    ...{ definition, expressions, conditions, scope: scopeOf(matchConstraints) },
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
    bindings: bindings.map((binding) => ({
      ...{ binding, scope: binding.spec.matchResources && scopeOf(binding.spec.matchResources) },
    })),
  };
}

function scopeOf(match: MatchResources): Scope {
  return {
    ...{ rules: match.resourceRules ?? [], excluded: match.excludeResourceRules ?? [] },
    matchPolicy: match.matchPolicy ?? 'Equivalent',
    namespaces: matcherFrom(match.namespaceSelector ?? {}),
    objects: matcherFrom(match.objectSelector ?? {}),
  };
}
