/** Violations in when a container starts again: its own policy and the rules on exit codes. */

import type { Container, ContainerRestartRule } from '../../../../../generated/types.ts';
import {
  at,
  child,
  type FieldError,
  type FieldPath,
  notSupported,
  required,
  tooMany,
} from '../../../../../status/field-error.ts';

const policies = ['Always', 'Never', 'OnFailure'];
const actions = ['Restart', 'RestartAllContainers'];
const operators = ['In', 'NotIn'];
const rulesMax = 20;
const valuesMax = 255;

/** A container's own restart policy; rules need one. */
export function validateOwnRestartPolicy(container: Container, field: FieldPath): FieldError[] {
  const { restartPolicy: policy, restartPolicyRules: rules = [] } = container;
  const list = child(field, 'restartPolicyRules');
  return [
    ...validatePolicy(policy, rules.length > 0, child(field, 'restartPolicy')),
    ...(rules.length > rulesMax ? [tooMany(list, rules.length, rulesMax)] : []),
    ...rules.flatMap((rule, index) => validateRule(rule, at(list, index))),
  ];
}

/** The same of an init container; rules without a policy are not looked at. */
export function validateInitRestartPolicy(container: Container, field: FieldPath): FieldError[] {
  if (container.restartPolicy !== undefined) return validateOwnRestartPolicy(container, field);
  const isNeeded = (container.restartPolicyRules ?? []).length > 0;
  return validatePolicy(undefined, isNeeded, child(field, 'restartPolicy'));
}

function validatePolicy(policy: string | undefined, isNeeded: boolean, field: FieldPath): FieldError[] {
  if (policy !== undefined) return policies.includes(policy) ? [] : [notSupported(field, policy, policies)];
  return isNeeded ? [required(field, 'must specify restartPolicy when restart rules are used')] : [];
}

function validateRule({ action = '', exitCodes }: ContainerRestartRule, field: FieldPath): FieldError[] {
  const errors = actions.includes(action) ? [] : [notSupported(child(field, 'action'), action, actions)];
  const place = child(field, 'exitCodes');
  if (!exitCodes) return [...errors, required(place, 'must be specified')];
  const { operator = '', values = [] } = exitCodes;
  return [
    ...errors,
    ...(operators.includes(operator) ? [] : [notSupported(child(place, 'operator'), operator, operators)]),
    ...(values.length > valuesMax ? [tooMany(child(place, 'values'), values.length, valuesMax)] : []),
  ];
}
