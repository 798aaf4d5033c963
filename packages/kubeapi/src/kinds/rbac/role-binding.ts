/** Bindings of roles in a namespace. */

import type { RoleBinding } from '../../generated/types.ts';
import type { FieldError } from '../../status/field-error.ts';
import { pathSegment } from '../../validation/formats.ts';
import type { KindDefinition } from '../definition.ts';
import { defaultSubject, roleBindingPrinter, sameRole, validateBinding } from './bindings.ts';

/** Bindings of roles in a namespace. */
export const roleBinding: KindDefinition<RoleBinding> = {
  group: 'rbac.authorization.k8s.io',
  kind: 'RoleBinding',
  nameFormat: pathSegment,
  printer: roleBindingPrinter,
  validate: validateRoleBinding,
  validateUpdate: validateRoleBindingUpdate,
  defaults: {
    RoleRef: { apiGroup: 'rbac.authorization.k8s.io' },
  },
  computedDefaults: {
    Subject: defaultSubject,
  },
  descriptions: {
    RoleBinding: { '': 'Gives a role to users in a namespace.', subjects: 'Who.', roleRef: 'Which role.' },
  },
};

/** Violations in a role binding. */
function validateRoleBinding(binding: RoleBinding): FieldError[] {
  return validateBinding(binding, ['Role', 'ClusterRole'], true);
}

/** Violations in a change of a role binding: it keeps its role. */
function validateRoleBindingUpdate(next: RoleBinding, previous: RoleBinding): FieldError[] {
  return [...validateRoleBinding(next), ...sameRole(next, previous)];
}
