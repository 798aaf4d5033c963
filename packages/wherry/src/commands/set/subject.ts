import type { KubeObject } from '@wherry/client';
import type { ClusterRoleBinding, RoleBinding, Subject } from '@wherry/kubeapi';
import { CommandError } from '../../errors.ts';
import { refuseServerDryRunLocally } from '../changes/local-objects.ts';
import { changeObjects } from './change-objects.ts';
import { namespaceFor, refuseWordsLocally, type SetFlags } from './chosen-objects.ts';

/** Flags of `wherry set subject`. */
export interface SetSubjectFlags extends SetFlags {
  subjectUsers?: string[];
  group?: string[];
  /** `NAMESPACE:NAME`; `:NAME` for the namespace where the command looks. */
  serviceaccount?: string[];
}

type Binding = RoleBinding | ClusterRoleBinding;

const apiGroup = 'rbac.authorization.k8s.io';
const groupVersion = `${apiGroup}/v1`;

/** Lets role bindings bind these subjects too. */
export async function setSubject(words: readonly string[], flags: SetSubjectFlags): Promise<void> {
  refuseWordsLocally(words, flags);
  await changeObjects(words, flags, ({ objects }) => {
    refuseServerDryRunLocally(flags);
    const hasClusterBinding = objects.some(
      ({ object: { apiVersion, kind } }) => apiVersion === groupVersion && kind === 'ClusterRoleBinding',
    );
    const subjects = subjectsOf(flags, hasClusterBinding);
    return {
      change: (object) => bind(object, subjects),
      done: 'subjects updated',
      refusal: 'failed to patch subjects to rolebinding:',
    };
  });
}

function subjectsOf(flags: SetSubjectFlags, hasClusterBinding: boolean): Subject[] {
  const { subjectUsers = [], group = [], serviceaccount = [] } = flags;
  if (subjectUsers.length + group.length + serviceaccount.length === 0)
    throw new CommandError('you must specify at least one value of user, group or serviceaccount');
  for (const account of serviceaccount) checkAccount(account, hasClusterBinding);
  return [
    ...inOrder(subjectUsers).map((name) => ({ kind: 'User', apiGroup, name })),
    ...inOrder(group).map((name) => ({ kind: 'Group', apiGroup, name })),
    ...inOrder(serviceaccount).map((text) => {
      const [namespace, name = ''] = text.split(':');
      return { kind: 'ServiceAccount', name, namespace: namespace || namespaceFor(flags) };
    }),
  ];
}

const inOrder = (texts: readonly string[]): string[] => [...new Set(texts)].sort();

function checkAccount(text: string, hasClusterBinding: boolean): void {
  const [namespace, name = '', ...more] = text.split(':');
  const wrong = 'serviceaccount must be <namespace>:<name>';
  if (name === '' || more.length > 0) throw new CommandError(wrong);
  if (namespace === '' && hasClusterBinding) throw new CommandError(`${wrong}, namespace must be specified`);
}

/** False where it binds them all. */
function bind(object: KubeObject, subjects: readonly Subject[]): boolean {
  const { apiVersion, kind } = object;
  if (apiVersion !== groupVersion || (kind !== 'RoleBinding' && kind !== 'ClusterRoleBinding'))
    throw new CommandError('setting subjects is only supported for RoleBinding/ClusterRoleBinding');
  const binding = object as Binding;
  const present = binding.subjects ?? [];
  const added = subjects.filter((one) => !present.some((other) => isSame(one, other)));
  if (added.length > 0) binding.subjects = [...present, ...added];
  return added.length > 0;
}

const isSame = (one: Subject, other: Subject): boolean =>
  one.kind === other.kind &&
  one.name === other.name &&
  (one.apiGroup ?? '') === (other.apiGroup ?? '') &&
  (one.namespace ?? '') === (other.namespace ?? '');
