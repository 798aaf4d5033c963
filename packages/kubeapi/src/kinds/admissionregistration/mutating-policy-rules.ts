/** Violations in policies that change writes (upstream: pkg/apis/admissionregistration/validation). */
import { PolicyExpressions, type Wanted } from '../../cel/policies/policy-expressions.ts';
import type { MutatingAdmissionPolicy, Mutation } from '../../generated/types.ts';
import {
  at,
  child,
  type FieldError,
  type FieldPath,
  invalidValue,
  notSupported,
  required,
} from '../../status/field-error.ts';
import { operationErrors } from './binding-rules.ts';
import { areSameConditions, expressionErrors, matchConditionErrors } from './match-conditions.ts';
import { matchResourceErrors } from './match-resources.ts';
import { paramKindErrors, variableErrors } from './policy-rules.ts';

type Spec = MutatingAdmissionPolicy['spec'];

const failurePolicies = ['Fail', 'Ignore'];
const reinvocationPolicies = ['IfNeeded', 'Never'];
const patchTypes = ['ApplyConfiguration', 'JSONPatch'];

/** Needs `loadPatternEngine`. Conditions that are as they were in `previous` are let be. */
export function mutatingPolicyErrors(
  { spec }: MutatingAdmissionPolicy,
  previous?: MutatingAdmissionPolicy,
): FieldError[] {
  const { failurePolicy, paramKind, matchConstraints, matchConditions = [], variables = [] } = spec;
  const { mutations = [], reinvocationPolicy } = spec;
  const hasParams = paramKind !== undefined;
  const expressions = new PolicyExpressions({ hasParams, hasVariables: true });
  const field = (name: string) => child('spec', name);
  const oneOf = (value: string | undefined, name: string, known: string[]) =>
    value === undefined
      ? [required(field(name))]
      : known.includes(value)
        ? []
        : [notSupported(field(name), value, known)];
  return [
    ...oneOf(failurePolicy, 'failurePolicy', failurePolicies),
    ...(paramKind ? paramKindErrors(paramKind, field('paramKind')) : []),
    ...(matchConstraints
      ? matchResourceErrors(matchConstraints, field('matchConstraints'))
      : [required(field('matchConstraints'))]),
    ...(matchConstraints && (matchConstraints.resourceRules ?? []).length === 0
      ? [required(field('matchConstraints.resourceRules'))]
      : []),
    ...operationErrors(matchConstraints, field('matchConstraints.resourceRules.operations')),
    ...(previous && hasSameConditions(spec, previous.spec)
      ? []
      : matchConditionErrors(matchConditions, field('matchConditions'), { hasParams })),
    ...variableErrors(variables, field('variables'), expressions),
    ...(mutations.length === 0
      ? [required(field('mutations'), 'mutations must contain at least one item')]
      : []),
    ...mutations.flatMap((mutation, index) =>
      mutationErrors(mutation, at(field('mutations'), index), expressions),
    ),
    ...oneOf(reinvocationPolicy || undefined, 'reinvocationPolicy', reinvocationPolicies),
  ];
}

function hasSameConditions(next: Spec, previous: Spec): boolean {
  return (
    JSON.stringify(next.paramKind) === JSON.stringify(previous.paramKind) &&
    areSameConditions(next.matchConditions, previous.matchConditions)
  );
}

function mutationErrors(mutation: Mutation, place: FieldPath, expressions: PolicyExpressions): FieldError[] {
  const { patchType, applyConfiguration, jsonPatch } = mutation;
  const field = (name: string) => child(place, name);
  const when = `when patchType is ${patchType}`;
  const one = (name: string, given: { expression?: string } | undefined, wanted: Wanted) =>
    given
      ? patchErrors(given.expression, child(field(name), 'expression'), (text) =>
          expressions.compile(text, wanted),
        )
      : [required(field(name), `must be specified ${when}`)];
  const not = (name: string, given: object | undefined) =>
    given ? [invalidValue(field(name), `{${name}}`, `must not be specified ${when}`)] : [];
  if (!patchType) return [required(field('patchType'))];
  if (patchType === 'JSONPatch')
    return [
      ...one('jsonPatch', jsonPatch, 'list(JSONPatch)'),
      ...not('applyConfiguration', applyConfiguration),
    ];
  if (patchType === 'ApplyConfiguration')
    return [...one('applyConfiguration', applyConfiguration, 'Object'), ...not('jsonPatch', jsonPatch)];
  return [notSupported(field('patchType'), patchType, patchTypes)];
}

function patchErrors(
  text: string | undefined,
  place: FieldPath,
  compile: (text: string) => { error: string | undefined },
): FieldError[] {
  const trimmed = text?.trim() ?? '';
  return trimmed === '' ? [required(place)] : expressionErrors(trimmed, place, () => compile(trimmed).error);
}
