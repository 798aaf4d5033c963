import {
  type LabelMatcher,
  type MatchPolicyType,
  type MatchResources,
  type MutatingAdmissionPolicyBinding,
  matcherFrom,
  type NamedRuleWithOperations,
  type PolicyExpression,
  PolicyExpressions,
  type ValidatingAdmissionPolicy,
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

/** What policies of both kinds are made of. */
interface Definition {
  metadata: { name?: string };
  spec: Pick<
    ValidatingAdmissionPolicy['spec'],
    'paramKind' | 'matchConstraints' | 'matchConditions' | 'variables'
  >;
}

interface Binding {
  metadata: { name?: string };
  spec: MutatingAdmissionPolicyBinding['spec'];
}

/** A policy with what it is applied to, compiled. */
export interface BoundPolicy<D extends Definition, B extends Binding> {
  definition: D;
  scope: Scope;
  expressions: PolicyExpressions;
  conditions: readonly PolicyExpression[];
  bindings: readonly { binding: B; scope: Scope | undefined }[];
}

/** Where policies of one kind are found, and what they consist of beside that. */
export interface PoliciesOptions<D extends Definition, B extends Binding, More> {
  definitions: ObjectCache<D>;
  bindings: ObjectCache<B>;
  /** Called once the policy's variables are defined. */
  compile(definition: D, expressions: PolicyExpressions): More;
}

/** The policies that are bound to anything, by name. */
export class Policies<D extends Definition, B extends Binding, More> {
  readonly #options: PoliciesOptions<D, B, More>;
  #generations = '';
  #policies: readonly (BoundPolicy<D, B> & More)[] = [];

  constructor(options: PoliciesOptions<D, B, More>) {
    this.#options = options;
  }

  /** True when there is nothing to look at. */
  get isEmpty(): boolean {
    for (const _binding of this.#options.bindings.values()) return false;
    return true;
  }

  /** As the last acknowledged write has left them. Needs `loadPatternEngine`. */
  list(): readonly (BoundPolicy<D, B> & More)[] {
    const { definitions, bindings } = this.#options;
    const generations = `${definitions.generation} ${bindings.generation}`;
    if (generations === this.#generations) return this.#policies;
    const all = [...bindings.values()].sort(byName);
    this.#policies = [...definitions.values()].sort(byName).flatMap((definition) => {
      const own = all.filter(({ spec }) => spec.policyName === definition.metadata.name);
      return own.length === 0 ? [] : [this.#compiled(definition, own)];
    });
    this.#generations = generations;
    return this.#policies;
  }

  #compiled(definition: D, bindings: readonly B[]): BoundPolicy<D, B> & More {
    const { paramKind, matchConstraints = {}, matchConditions = [], variables = [] } = definition.spec;
    const expressions = new PolicyExpressions({ hasParams: paramKind !== undefined, hasVariables: true });
    const conditions = matchConditions.map(({ expression }) => expressions.compile(expression, 'bool'));
    for (const { name, expression } of variables) expressions.define(name, expression);
    return {
      ...{ definition, expressions, conditions, scope: scopeOf(matchConstraints) },
      bindings: bindings.map((binding) => ({
        ...{ binding, scope: binding.spec.matchResources && scopeOf(binding.spec.matchResources) },
      })),
      ...this.#options.compile(definition, expressions),
    };
  }
}

const byName = (left: Definition | Binding, right: Definition | Binding): number =>
  (left.metadata.name ?? '') < (right.metadata.name ?? '') ? -1 : 1;

function scopeOf(match: MatchResources): Scope {
  return {
    ...{ rules: match.resourceRules ?? [], excluded: match.excludeResourceRules ?? [] },
    matchPolicy: match.matchPolicy ?? 'Equivalent',
    namespaces: matcherFrom(match.namespaceSelector ?? {}),
    objects: matcherFrom(match.objectSelector ?? {}),
  };
}
