import type { ClusterRoleBinding, RoleBinding } from '@wherry/kubeapi';
import { CommandError } from '../../errors.ts';

/** Which role, and who has it. */
export interface BindingFlags {
  role?: string;
  clusterrole?: string;
  subjectUsers?: string[];
  group?: string[];
  /** `NAMESPACE:NAME`. */
  serviceaccount?: string[];
}

const apiGroup = 'rbac.authorization.k8s.io';
const apiVersion = `${apiGroup}/v1`;

/** A binding of a namespace, to a role there or a cluster role. */
export function roleBindingObject(name: string, flags: BindingFlags): RoleBinding {
  const { role = '', clusterrole = '' } = flags;
  if ((role === '') === (clusterrole === ''))
    throw new CommandError('exactly one of clusterrole or role must be specified');
  const roleRef =
    role === ''
      ? { apiGroup, kind: 'ClusterRole', name: clusterrole }
      : { apiGroup, kind: 'Role', name: role };
  return { apiVersion, kind: 'RoleBinding', metadata: { name }, roleRef, ...subjectsOf(flags) };
}

/** A binding of the whole cluster. */
export const clusterRoleBindingObject = (name: string, flags: BindingFlags): ClusterRoleBinding => ({
  ...{ apiVersion, kind: 'ClusterRoleBinding', metadata: { name } },
  roleRef: { apiGroup, kind: 'ClusterRole', name: flags.clusterrole ?? '' },
  ...subjectsOf(flags),
});

function subjectsOf({ subjectUsers = [], group = [], serviceaccount = [] }: BindingFlags) {
  const subjects = [
    ...subjectUsers.map((name) => ({ kind: 'User', apiGroup, name })),
    ...group.map((name) => ({ kind: 'Group', apiGroup, name })),
    ...serviceaccount.map((text) => {
      const [, namespace, name] = /^([^:]+):([^:]+)$/.exec(text) ?? [];
      if (namespace === undefined || name === undefined)
        throw new CommandError('serviceaccount must be <namespace>:<name>');
      return { kind: 'ServiceAccount', namespace, name };
    }),
  ];
  return subjects.length > 0 ? { subjects } : {};
}
