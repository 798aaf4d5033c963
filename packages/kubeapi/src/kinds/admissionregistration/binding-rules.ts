/** Violations in bindings of policies (upstream: pkg/apis/admissionregistration/validation). */
import type {
  MatchResources,
  MutatingAdmissionPolicyBinding,
  ParamRef,
  ValidatingAdmissionPolicyBinding,
} from '../../generated/types.ts';
import {
  at,
  child,
  duplicate,
  type FieldError,
  type FieldPath,
  forbiddenField,
  invalidValue,
  notSupported,
  required,
} from '../../status/field-error.ts';
import { dnsSubdomain, pathSegment } from '../../validation/formats.ts';
import { check, validateSelector } from '../../validation/metadata.ts';
import { repeats } from '../../validation/repeats.ts';
import { matchResourceErrors } from './match-resources.ts';

const actions = ['Audit', 'Deny', 'Warn'];
const mutatingOperations: string[] = ['*', 'CONNECT', 'CREATE', 'UPDATE'];
const notFoundActions = ['Deny', 'Allow'];

export function bindingErrors({ spec }: ValidatingAdmissionPolicyBinding): FieldError[] {
  const { validationActions = [] } = spec;
  const place = 'spec.validationActions';
  const isRepeat = repeats<string>();
  const both =
    'must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)';
  return [
    ...referenceErrors(spec),
    ...validationActions.flatMap((action, index) => [
      ...(actions.includes(action) ? [] : [notSupported(at(place, index), action, actions)]),
      ...(isRepeat(action) ? [duplicate(at(place, index), action)] : []),
    ]),
    ...(validationActions.includes('Deny') && validationActions.includes('Warn')
      ? [invalidValue(place, [...validationActions], both)]
      : []),
    ...(validationActions.length === 0
      ? [required(place, 'at least one validation action is required')]
      : []),
  ];
}

/** Of policies that change what is written; there is nothing to change in a deletion. */
export function mutatingBindingErrors({ spec }: MutatingAdmissionPolicyBinding): FieldError[] {
  return [
    ...referenceErrors(spec),
    ...operationErrors(spec.matchResources, 'spec.matchResources.resourceRules.operations'),
  ];
}

/** Operations that a policy which changes objects may not be about. */
export function operationErrors(match: MatchResources | undefined, place: FieldPath): FieldError[] {
  return (match?.resourceRules ?? [])
    .flatMap(({ operations = [] }) => operations)
    .filter((operation) => !mutatingOperations.includes(operation))
    .map((operation) => notSupported(place, operation, mutatingOperations));
}

function referenceErrors(spec: MutatingAdmissionPolicyBinding['spec']): FieldError[] {
  const { policyName = '', paramRef, matchResources } = spec;
  return [
    ...(policyName === ''
      ? [required('spec.policyName')]
      : check('spec.policyName', policyName, dnsSubdomain)),
    ...(paramRef ? paramRefErrors(paramRef, 'spec.paramRef') : []),
    ...(matchResources ? matchResourceErrors(matchResources, 'spec.matchResources') : []),
  ];
}

function paramRefErrors(ref: ParamRef, place: FieldPath): FieldError[] {
  const { name = '', selector, parameterNotFoundAction: action = '' } = ref;
  const exclusive = 'name and selector are mutually exclusive';
  const isBoth = name !== '' && selector !== undefined;
  return [
    ...(name === '' ? [] : check(child(place, 'name'), name, pathSegment)),
    ...(isBoth
      ? [forbiddenField(child(place, 'name'), exclusive), forbiddenField(child(place, 'selector'), exclusive)]
      : []),
    ...validateSelector(selector, child(place, 'selector')),
    ...(name === '' && !selector ? [required(place, 'one of name or selector must be specified')] : []),
    ...(action === '' ? [required(child(place, 'parameterNotFoundAction'))] : []),
    ...(action === '' || notFoundActions.includes(action)
      ? []
      : [notSupported(child(place, 'parameterNotFoundAction'), action, notFoundActions)]),
  ];
}
