/** Violations in bindings of policies (upstream: pkg/apis/admissionregistration/validation). */
import type { ParamRef, ValidatingAdmissionPolicyBinding } from '../../generated/types.ts';
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
import { matchResourceErrors } from './match-resources.ts';

const actions = ['Audit', 'Deny', 'Warn'];
const notFoundActions = ['Deny', 'Allow'];

export function bindingErrors({ spec }: ValidatingAdmissionPolicyBinding): FieldError[] {
  const { policyName = '', paramRef, matchResources, validationActions = [] } = spec;
  const place = 'spec.validationActions';
  const both =
    'must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)';
  return [
    ...(policyName === ''
      ? [required('spec.policyName')]
      : check('spec.policyName', policyName, dnsSubdomain)),
    ...(paramRef ? paramRefErrors(paramRef, 'spec.paramRef') : []),
    ...(matchResources ? matchResourceErrors(matchResources, 'spec.matchResources') : []),
    ...validationActions.flatMap((action, index) => [
      ...(actions.includes(action) ? [] : [notSupported(at(place, index), action, actions)]),
      ...(validationActions.indexOf(action) < index ? [duplicate(at(place, index), action)] : []),
    ]),
    ...(validationActions.includes('Deny') && validationActions.includes('Warn')
      ? [invalidValue(place, [...validationActions], both)]
      : []),
    ...(validationActions.length === 0
      ? [required(place, 'at least one validation action is required')]
      : []),
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
