import type { ClusterRoleBinding, RoleBinding, Subject } from '@wherry/kubeapi';
import { isLeftAlone, type Plan, type Reconciler, withTheirMetadata } from './plan.ts';

type Binding = RoleBinding | ClusterRoleBinding;

/** Adds subjects that a binding lacks; with `removesExtra` those go that are not wanted. */
export const bindingReconciler = (removesExtra: boolean): Reconciler<Binding> => ({
  parts: 'subjects',
  planNew: (expected) => ({
    ...{ operation: 'create', object: expected, isProtected: false },
    ...{ missing: (expected.subjects ?? []).map(subjectText), extra: [] },
  }),
  planChange: (existing, expected) => planChange(existing, expected, removesExtra),
});

function planChange(existing: Binding, expected: Binding, removesExtra: boolean): Plan<Binding> {
  const isProtected = isLeftAlone(existing);
  // The role that a binding is of can not be changed.
  if (roleText(existing) !== roleText(expected))
    return { operation: 'recreate', object: expected, isProtected, missing: [], extra: [] };
  const { object, isChanged } = withTheirMetadata(existing, expected);
  const { subjects = [] } = existing;
  const wanted = expected.subjects ?? [];
  const missing = unlike(wanted, subjects);
  const extra = unlike(subjects, wanted);
  const givesSubjects = missing.length > 0 || (removesExtra && extra.length > 0);
  if (givesSubjects) object.subjects = removesExtra ? wanted : [...subjects, ...missing];
  return {
    operation: isChanged || givesSubjects ? 'update' : 'none',
    ...{ object, isProtected, missing: missing.map(subjectText), extra: extra.map(subjectText) },
  };
}

const roleText = ({ roleRef: { apiGroup = '', kind, name } }: Binding): string =>
  JSON.stringify([apiGroup, kind, name]);

/** Those of `subjects` that are none of `others`, each once. */
function unlike(subjects: readonly Subject[], others: readonly Subject[]): Subject[] {
  const known = new Set(others.map(subjectText));
  const found = new Map(subjects.map((one) => [subjectText(one), one]));
  return [...found].filter(([text]) => !known.has(text)).map(([, one]) => one);
}

/** A subject as kubectl prints it. */
const subjectText = ({ kind, apiGroup = '', name, namespace = '' }: Subject): string =>
  `{Kind:${kind} APIGroup:${apiGroup} Name:${name} Namespace:${namespace}}`;
