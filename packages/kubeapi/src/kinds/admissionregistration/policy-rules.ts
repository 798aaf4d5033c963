/** Violations in policies that look at writes (upstream: pkg/apis/admissionregistration/validation). */
import { PolicyExpressions } from '../../cel/policies/policy-expressions.ts';
import { isIdentifier } from '../../cel/schema/names.ts';
import type {
  AuditAnnotation,
  ParamKind,
  ValidatingAdmissionPolicy,
  Validation,
  Variable,
} from '../../generated/types.ts';
import {
  at,
  child,
  duplicate,
  type FieldError,
  type FieldPath,
  invalidValue,
  notSupported,
  required,
} from '../../status/field-error.ts';
import { dns1035Label, dnsSubdomain, qualifiedName } from '../../validation/formats.ts';
import { check } from '../../validation/metadata.ts';
import { repeats } from '../../validation/repeats.ts';
import { areSameConditions, expressionErrors, matchConditionErrors } from './match-conditions.ts';
import { matchResourceErrors } from './match-resources.ts';

type Spec = ValidatingAdmissionPolicy['spec'];

const failurePolicies = ['Fail', 'Ignore'];
const reasons = ['Forbidden', 'Invalid', 'RequestEntityTooLarge'];
const annotationsMax = 20;

/** Needs `loadPatternEngine`. Conditions that are as they were in `previous` are let be. */
export function policyErrors(
  { metadata, spec }: ValidatingAdmissionPolicy,
  previous?: ValidatingAdmissionPolicy,
): FieldError[] {
  const { failurePolicy, paramKind, matchConstraints, matchConditions = [], variables = [] } = spec;
  const { validations = [], auditAnnotations = [] } = spec;
  const hasParams = paramKind !== undefined;
  const expressions = new PolicyExpressions({ hasParams, hasVariables: variables.length > 0 });
  const field = (name: string) => child('spec', name);
  const nothing = 'validations or auditAnnotations must contain at least one item';
  return [
    ...(failurePolicy === undefined || failurePolicies.includes(failurePolicy)
      ? []
      : [notSupported(field('failurePolicy'), failurePolicy, failurePolicies)]),
    ...(paramKind ? paramKindErrors(paramKind, field('paramKind')) : []),
    ...(matchConstraints
      ? matchResourceErrors(matchConstraints, field('matchConstraints'))
      : [required(field('matchConstraints'))]),
    ...(matchConstraints && (matchConstraints.resourceRules ?? []).length === 0
      ? [required(field('matchConstraints.resourceRules'))]
      : []),
    ...(previous && hasSameConditions(spec, previous.spec)
      ? []
      : matchConditionErrors(matchConditions, field('matchConditions'), { hasParams })),
    ...variableErrors(variables, field('variables'), expressions),
    ...(validations.length + auditAnnotations.length === 0
      ? [required(field('validations'), nothing), required(field('auditAnnotations'), nothing)]
      : []),
    ...validations.flatMap((validation, index) =>
      validationErrors(validation, at(field('validations'), index), expressions),
    ),
    ...annotationErrors(auditAnnotations, field('auditAnnotations'), {
      owner: metadata.name ?? '',
      expressions,
    }),
  ];
}

function hasSameConditions(next: Spec, previous: Spec): boolean {
  return (
    JSON.stringify(next.paramKind) === JSON.stringify(previous.paramKind) &&
    areSameConditions(next.matchConditions, previous.matchConditions)
  );
}

const noExpression = 'expression is not specified';

/** Each is defined for the expressions that follow. */
export function variableErrors(
  variables: readonly Variable[],
  field: FieldPath,
  expressions: PolicyExpressions,
): FieldError[] {
  return variables.flatMap(({ name, expression }, index) => {
    const place = at(field, index);
    return [
      ...(name?.trim() ? [] : [required(child(place, 'name'), 'name is not specified')]),
      ...(name?.trim() && !isIdentifier(name)
        ? [invalidValue(child(place, 'name'), name, 'must be a valid CEL identifier')]
        : []),
      ...expressionErrors(
        expression,
        child(place, 'expression'),
        () => expressions.define(name, expression).error,
        noExpression,
      ),
    ];
  });
}

/** Violations in the kind of a policy's parameters. */
export function paramKindErrors({ apiVersion = '', kind = '' }: ParamKind, place: FieldPath): FieldError[] {
  const [group, version] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
  const mixed = 'may have mixed case, but should otherwise match: ';
  const wrongKind = kind === '' ? [] : dns1035Label(kind.toLowerCase());
  return [
    ...(apiVersion === '' ? [required(child(place, 'apiVersion'))] : []),
    ...(group ? check(child(place, 'apiVersion'), group, dnsSubdomain) : []),
    ...(apiVersion !== '' ? check(child(place, 'apiVersion'), version ?? '', dns1035Label) : []),
    ...(kind === '' ? [required(child(place, 'kind'))] : []),
    ...(wrongKind.length > 0
      ? [invalidValue(child(place, 'kind'), kind, `${mixed}${wrongKind.join(',')}`)]
      : []),
  ];
}

function validationErrors(
  validation: Validation,
  place: FieldPath,
  expressions: PolicyExpressions,
): FieldError[] {
  const { expression, message = '', messageExpression = '', reason } = validation;
  const field = (name: string) => child(place, name);
  const blank = 'must be non-empty if specified';
  return [
    ...expressionErrors(
      expression,
      field('expression'),
      () => expressions.compile(expression, 'bool').error,
      noExpression,
    ),
    ...(messageExpression !== '' && messageExpression.trim() === ''
      ? [invalidValue(field('messageExpression'), messageExpression, blank)]
      : []),
    ...(messageExpression.trim() === ''
      ? []
      : expressionErrors(
          messageExpression,
          field('messageExpression'),
          () => expressions.compile(messageExpression, 'string').error,
        )),
    ...(message !== '' && message.trim() === '' ? [invalidValue(field('message'), message, blank)] : []),
    ...(/\n/.test(message.trim())
      ? [invalidValue(field('message'), message, 'must not contain line breaks')]
      : []),
    ...(reason === undefined || reasons.includes(reason)
      ? []
      : [notSupported(field('reason'), reason, reasons)]),
  ];
}

function annotationErrors(
  annotations: readonly AuditAnnotation[],
  place: FieldPath,
  { owner, expressions }: { owner: string; expressions: PolicyExpressions },
): FieldError[] {
  const isRepeat = repeats<string>();
  return [
    ...(annotations.length > annotationsMax
      ? [invalidValue(place, null, `must not have more than ${annotationsMax} auditAnnotations`)]
      : []),
    ...annotations.flatMap(({ key, valueExpression }, index) => {
      const field = (name: string) => child(at(place, index), name);
      return [
        ...check(field('key'), `${owner}/${key}`, qualifiedName),
        ...expressionErrors(
          valueExpression,
          field('valueExpression'),
          () => expressions.compile(valueExpression, 'string or null').error,
          'valueExpression is not specified',
        ),
        ...(isRepeat(key) ? [duplicate(field('key'), key)] : []),
      ];
    }),
  ];
}
