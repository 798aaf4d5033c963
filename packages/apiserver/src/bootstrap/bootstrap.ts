import { isDeepStrictEqual } from 'node:util';
import { hasReason } from '@wherry/kubeapi';
import { groups, userInfo } from '../authentication/identity.ts';
import { bootstrapBindings, bootstrapNamespaced, bootstrapRoles } from '../authorization/bootstrap-policy.ts';
import type { ApiObject } from '../objects/api-object.ts';
import type { Collection } from '../registry/collection.ts';
import type { WriteContext } from '../requests/request.ts';

/** Finds a stored resource. */
export type FindCollection = (group: string, version: string, plural: string) => Collection;

const rbac = ['rbac.authorization.k8s.io', 'v1'] as const;
const self = userInfo('system:apiserver', [groups.masters, groups.authenticated]);
const namespaces = ['default', 'kube-system', 'kube-public', 'kube-node-lease'];
/** Beyond what users may ask for, as upstream. */
const priorityClasses = {
  'system-cluster-critical': [
    2_000_000_000,
    'Used for system critical pods that must run in the cluster, but can be moved to another node if necessary.',
  ],
  'system-node-critical': [
    2_000_001_000,
    'Used for system critical pods that must not be moved from their current node.',
  ],
} as const;

/** Makes what every cluster has, where it is missing; brings back the rules of built-in roles. */
export async function bootstrap(collection: FindCollection): Promise<void> {
  for (const name of namespaces) await ensure(collection('', 'v1', 'namespaces'), { metadata: { name } });
  await bootstrapRights(collection);
  for (const [name, [value, description]] of Object.entries(priorityClasses)) {
    const priorityClass = {
      metadata: { name },
      value,
      description,
      preemptionPolicy: 'PreemptLowerPriority',
    };
    await ensure(collection('scheduling.k8s.io', 'v1', 'priorityclasses'), priorityClass);
  }
}

/** All at once, so that they are one write to the disk. */
async function bootstrapRights(collection: FindCollection): Promise<void> {
  const of = (plural: string) => collection(...rbac, plural);
  const { roles, bindings } = bootstrapNamespaced();
  await Promise.all([
    ...bootstrapRoles().map((role) => ensureRole(of('clusterroles'), role as unknown as ApiObject)),
    ...bootstrapBindings().map((binding) =>
      ensure(of('clusterrolebindings'), binding as unknown as ApiObject),
    ),
    ...roles.map((role) => ensureRole(of('roles'), role as unknown as ApiObject)),
    ...bindings.map((binding) => ensure(of('rolebindings'), binding as unknown as ApiObject)),
  ]);
}

async function ensureRole(roles: Collection, role: ApiObject): Promise<void> {
  await ensure(roles, role);
  await restoreRules(roles, role);
}

/** Makes an object where there is none of that name; another server may do so at the same time. */
export async function ensure(collection: Collection, object: ApiObject): Promise<void> {
  const { name = '', namespace = '' } = object.metadata;
  if (await collection.storage.find({ namespace, name })) return;
  try {
    await collection.create(object, contextOf(collection, namespace, name));
  } catch (error) {
    if (!hasReason(error, 'AlreadyExists')) throw error;
  }
}

async function restoreRules(roles: Collection, role: ApiObject): Promise<void> {
  const name = role.metadata.name ?? '';
  await roles.storage.change({
    namespace: role.metadata.namespace ?? '',
    name,
    change: (current) => {
      const isKept =
        current.metadata.annotations?.['rbac.authorization.kubernetes.io/autoupdate'] === 'false';
      // The rules of a sum are its parts', which may have become more.
      const field = role['aggregationRule'] ? 'aggregationRule' : 'rules';
      const isSame = isDeepStrictEqual(current[field], role[field]);
      return { next: isKept || isSame ? current : { ...current, [field]: role[field] } };
    },
  });
}

function contextOf({ resource }: Collection, namespace: string, name: string): WriteContext {
  const { group, version, plural } = resource.facts;
  const info = {
    ...{ isResource: true, path: '', verb: 'create', group, version, resource: plural },
    ...{ subresource: '', tail: '', namespace, isInNamespace: namespace !== '', name },
    selectedName: '',
  };
  return { user: self, info };
}
