/** Roles of a namespace (upstream: pkg/apis/rbac/validation). */

import type { PolicyRule, Role } from '../../generated/types.ts';
import {
  at,
  child,
  type FieldError,
  type FieldPath,
  invalidValue,
  required,
} from '../../status/field-error.ts';
import { pathSegment } from '../../validation/formats.ts';
import type { KindDefinition } from '../definition.ts';

/** Roles of a namespace (upstream: pkg/apis/rbac/validation). */
export const role: KindDefinition<Role> = {
  group: 'rbac.authorization.k8s.io',
  kind: 'Role',
  nameFormat: pathSegment,
  validate: validateRole,
  descriptions: {
    Role: { '': 'What may be done in a namespace.', rules: 'What is allowed.' },
    PolicyRule: {
      '': 'Verbs on resources, or on paths.',
      verbs: 'What may be done; * is all.',
      apiGroups: 'The groups; the empty one is core.',
      resources: 'The resources; * is all.',
      resourceNames: 'Only objects of these names.',
      nonResourceURLs: 'Paths outside of the API.',
    },
  },
};

/** Violations in a role of a namespace. */
function validateRole({ rules = [] }: Role): FieldError[] {
  return rules.flatMap((rule, index) => validateRule(rule, at('rules', index), true));
}

/** Violations in one rule of a role. */
export function validateRule(rule: PolicyRule, place: FieldPath, namespaced: boolean): FieldError[] {
  const { verbs = [], apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] } = rule;
  const errors =
    verbs.length > 0 ? [] : [required(child(place, 'verbs'), 'verbs must contain at least one value')];
  if (nonResourceURLs.length > 0) {
    const refuse = (detail: string) =>
      errors.push(invalidValue(child(place, 'nonResourceURLs'), nonResourceURLs, detail));
    if (namespaced) refuse('namespaced rules cannot apply to non-resource URLs');
    if (apiGroups.length + resources.length + resourceNames.length > 0) {
      refuse('rules cannot apply to both regular resources and non-resource URLs');
    }
    return errors;
  }
  const missing = (name: string, detail: string) => errors.push(required(child(place, name), detail));
  if (apiGroups.length === 0) missing('apiGroups', 'resource rules must supply at least one api group');
  if (resources.length === 0) missing('resources', 'resource rules must supply at least one resource');
  return errors;
}
