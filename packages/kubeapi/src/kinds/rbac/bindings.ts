/** What both kinds of bindings have in common. */

import type { RoleBinding, Subject } from '../../generated/types.ts';
import { type JsonObject, type JsonValue, jsonEqual } from '../../json/json-value.ts';
import {
  at,
  child,
  type FieldError,
  type FieldPath,
  invalidValue,
  notSupported,
  required,
} from '../../status/field-error.ts';
import { age } from '../../table/human-duration.ts';
import { ageColumn, column, nameColumn, type Printer, wide } from '../../table/printer.ts';
import { dnsSubdomain, pathSegment } from '../../validation/formats.ts';
import { check } from '../../validation/metadata.ts';

const rbacGroup = 'rbac.authorization.k8s.io';

/** Prints role bindings, of the namespace and of the cluster. */
export const roleBindingPrinter: Printer<RoleBinding> = {
  columns: [nameColumn, column('Role'), ageColumn, wide('Users'), wide('Groups'), wide('ServiceAccounts')],
  cells({ metadata, roleRef, subjects = [] }, nowMs) {
    const named = (wanted: string) => subjects.filter(({ kind }) => kind === wanted);
    const accounts = named('ServiceAccount').map(({ namespace, name }) => `${namespace}/${name}`);
    return [
      ...[metadata.name ?? '', `${roleRef.kind}/${roleRef.name}`, age(metadata.creationTimestamp, nowMs)],
      ...[named('User'), named('Group')].map((list) => list.map(({ name }) => name).join(', ')),
      accounts.join(', '),
    ];
  },
};

/** Violations in a change of the role, which stays. */
export function sameRole(next: RoleBinding, previous: RoleBinding): FieldError[] {
  const role = next.roleRef as unknown as JsonValue;
  const isSame = jsonEqual(role, previous.roleRef as unknown as JsonValue);
  return isSame ? [] : [invalidValue('roleRef', role, 'cannot change roleRef')];
}

/** Violations in a binding; `kinds` are those that its role may have. */
export function validateBinding(
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

/** Users and groups have an API group of their own. */
export function defaultSubject(subject: JsonObject): void {
  if (subject['kind'] === 'User' || subject['kind'] === 'Group')
    subject['apiGroup'] ||= 'rbac.authorization.k8s.io';
}
