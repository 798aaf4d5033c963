/** Bindings of cluster roles, everywhere. */

import type { ClusterRoleBinding } from '../../generated/types.ts';
import type { FieldError } from '../../status/field-error.ts';
import { pathSegment } from '../../validation/formats.ts';
import type { KindDefinition } from '../definition.ts';
import { roleBindingPrinter, sameRole, validateBinding } from './bindings.ts';

/** Bindings of cluster roles, everywhere. */
export const clusterRoleBinding: KindDefinition<ClusterRoleBinding> = {
  group: 'rbac.authorization.k8s.io',
  kind: 'ClusterRoleBinding',
  nameFormat: pathSegment,
  printer: roleBindingPrinter,
  validate: validateClusterRoleBinding,
  validateUpdate: validateClusterRoleBindingUpdate,
  descriptions: {
    ClusterRoleBinding: {
      '': 'Gives a cluster role to users everywhere.',
      subjects: 'Who.',
      roleRef: 'Which role.',
    },
  },
};

/** Violations in a cluster role binding: its role is a cluster role. */
function validateClusterRoleBinding(binding: ClusterRoleBinding): FieldError[] {
  return validateBinding(binding, ['ClusterRole'], false);
}

/** Violations in a change of a cluster role binding: it keeps its role. */
function validateClusterRoleBindingUpdate(
  next: ClusterRoleBinding,
  previous: ClusterRoleBinding,
): FieldError[] {
  return [...validateClusterRoleBinding(next), ...sameRole(next, previous)];
}
