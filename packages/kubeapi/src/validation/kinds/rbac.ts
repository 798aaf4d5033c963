/** Violations in roles and their bindings (upstream: pkg/apis/rbac/validation). */
import {
  at,
  child,
  type FieldError,
  type FieldPath,
  invalidValue,
  notSupported,
  required,
} from '../../field-error.ts';
import type {
  ClusterRole,
  ClusterRoleBinding,
  PolicyRule,
  Role,
  RoleBinding,
  Subject,
} from '../../generated/types.ts';
import { type JsonValue, jsonEqual } from '../../json-value.ts';
import { dnsSubdomain, pathSegment } from '../formats.ts';
import { check, validateSelector } from '../metadata.ts';

const rbacGroup = 'rbac.authorization.k8s.io';

/** Violations in a role of a namespace. */
export function validateRole({ rules = [] }: Role): FieldError[] {
  return rules.flatMap((rule, index) => validateRule(rule, at('rules', index), true));
}

/** Violations in a cluster role. */
export function validateClusterRole({ rules = [], aggregationRule }: ClusterRole): FieldError[] {
  const errors = rules.flatMap((rule, index) => validateRule(rule, at('rules', index), false));
  if (!aggregationRule) return errors;
  const place = 'aggregationRule.clusterRoleSelectors';
  const selectors = aggregationRule.clusterRoleSelectors ?? [];
  const detail = 'at least one clusterRoleSelector required if aggregationRule is non-nil';
  return [
    ...errors,
    ...(selectors.length === 0 ? [required(place, detail)] : []),
    ...selectors.flatMap((selector, index) => validateSelector(selector, at(place, index))),
  ];
}

function validateRule(rule: PolicyRule, place: FieldPath, namespaced: boolean): FieldError[] {
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

/** Violations in a role binding. */
export function validateRoleBinding(binding: RoleBinding): FieldError[] {
  return validateBinding(binding, ['Role', 'ClusterRole'], true);
}

/** Violations in a cluster role binding: its role is a cluster role. */
export function validateClusterRoleBinding(binding: ClusterRoleBinding): FieldError[] {
  return validateBinding(binding, ['ClusterRole'], false);
}

/** Violations in a change of a role binding: it keeps its role. */
export function validateRoleBindingUpdate(next: RoleBinding, previous: RoleBinding): FieldError[] {
  return [...validateRoleBinding(next), ...sameRole(next, previous)];
}

/** Violations in a change of a cluster role binding: it keeps its role. */
export function validateClusterRoleBindingUpdate(
  next: ClusterRoleBinding,
  previous: ClusterRoleBinding,
): FieldError[] {
  return [...validateClusterRoleBinding(next), ...sameRole(next, previous)];
}

function sameRole(next: RoleBinding, previous: RoleBinding): FieldError[] {
  const role = next.roleRef as unknown as JsonValue;
  const isSame = jsonEqual(role, previous.roleRef as unknown as JsonValue);
  return isSame ? [] : [invalidValue('roleRef', role, 'cannot change roleRef')];
}

function validateBinding(
  { roleRef, subjects = [] }: RoleBinding,
  kinds: readonly string[],
  namespaced: boolean,
): FieldError[] {
  const { apiGroup = '', kind, name } = roleRef;
  return [
    ...(apiGroup === rbacGroup ? [] : [notSupported('roleRef.apiGroup', apiGroup, [rbacGroup])]),
    ...(kinds.includes(kind) ? [] : [notSupported('roleRef.kind', kind, kinds)]),
    ...(name ? check('roleRef.name', name, pathSegment) : [required('roleRef.name')]),
    ...subjects.flatMap((subject, index) => validateSubject(subject, at('subjects', index), namespaced)),
  ];
}

function validateSubject(subject: Subject, place: FieldPath, namespaced: boolean): FieldError[] {
  const { kind, name, apiGroup = '', namespace = '' } = subject;
  const errors = name ? [] : [required(child(place, 'name'))];
  const group = child(place, 'apiGroup');
  if (kind === 'ServiceAccount') {
    return [
      ...errors,
      ...(name ? check(child(place, 'name'), name, dnsSubdomain) : []),
      ...(apiGroup === '' ? [] : [notSupported(group, apiGroup, [''])]),
      ...(namespaced || namespace ? [] : [required(child(place, 'namespace'))]),
    ];
  }
  if (kind === 'User' || kind === 'Group') {
    return apiGroup === rbacGroup ? errors : [...errors, notSupported(group, apiGroup, [rbacGroup])];
  }
  return [...errors, notSupported(child(place, 'kind'), kind, ['ServiceAccount', 'User', 'Group'])];
}
