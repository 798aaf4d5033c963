/** Roles of the cluster (upstream: pkg/apis/rbac/validation). */

import type { ClusterRole } from '../../generated/types.ts';
import { at, type FieldError, invalidValue, required } from '../../status/field-error.ts';
import { pathSegment } from '../../validation/formats.ts';
import { isInvalidSelector, validateSelector } from '../../validation/metadata.ts';
import type { KindDefinition } from '../definition.ts';
import { validateRule } from './role.ts';

/** Roles of the cluster (upstream: pkg/apis/rbac/validation). */
export const clusterRole: KindDefinition<ClusterRole> = {
  group: 'rbac.authorization.k8s.io',
  kind: 'ClusterRole',
  nameFormat: pathSegment,
  validate: validateClusterRole,
  validateUpdate: validateClusterRole,
  descriptions: {
    ClusterRole: { '': 'What may be done in the whole cluster.', rules: 'What is allowed.' },
  },
};

/** Violations in a cluster role. */
function validateClusterRole(
  { rules = [], aggregationRule }: ClusterRole,
  previous?: ClusterRole,
): FieldError[] {
  const errors = rules.flatMap((rule, index) => validateRule(rule, at('rules', index), false));
  if (!aggregationRule) return errors;
  const place = 'aggregationRule.clusterRoleSelectors';
  const takesAnyValue = (previous?.aggregationRule?.clusterRoleSelectors ?? []).some(isInvalidSelector);
  const selectors = aggregationRule.clusterRoleSelectors ?? [];
  const detail = 'at least one clusterRoleSelector required if aggregationRule is non-nil';
  return [
    ...errors,
    ...(selectors.length === 0 ? [required(place, detail)] : []),
    ...selectors.flatMap((selector, index) => {
      const invalid = validateSelector(selector, at(place, index), takesAnyValue);
      if (invalid.length === 0) return [];
      return [...invalid, invalidValue(at(place, index), {}, 'invalid label selector')];
    }),
  ];
}
