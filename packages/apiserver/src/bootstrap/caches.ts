import type {
  ClusterRole,
  ClusterRoleBinding,
  Namespace,
  Node,
  PriorityClass,
  Role,
  RoleBinding,
  Service,
  ServiceAccount,
} from '@wherry/kubeapi';
import { ObjectCache } from '../registry/object-cache.ts';
import type { ServedResource } from '../registry/strategy.ts';
import type { Store } from '../store/store.ts';

/** What the server itself has to know on every request. */
export interface Caches {
  namespaces: ObjectCache<Namespace>;
  nodes: ObjectCache<Node>;
  services: ObjectCache<Service>;
  serviceAccounts: ObjectCache<ServiceAccount>;
  priorityClasses: ObjectCache<PriorityClass>;
  roles: ObjectCache<Role>;
  roleBindings: ObjectCache<RoleBinding>;
  clusterRoles: ObjectCache<ClusterRole>;
  clusterRoleBindings: ObjectCache<ClusterRoleBinding>;
}

const rbac = 'rbac.authorization.k8s.io/v1';

/** Empty caches; {@link startCaches} fills them. `resource` finds a served resource by `group/version/plural`. */
export function createCaches(resource: (path: string) => ServedResource): Caches {
  const cacheOf = <T>(path: string): ObjectCache<T> => {
    const { keyPrefix, facts } = resource(path);
    return new ObjectCache<T>({ prefix: keyPrefix, gvk: facts });
  };
  return {
    namespaces: cacheOf('/v1/namespaces'),
    nodes: cacheOf('/v1/nodes'),
    services: cacheOf('/v1/services'),
    serviceAccounts: cacheOf('/v1/serviceaccounts'),
    priorityClasses: cacheOf('scheduling.k8s.io/v1/priorityclasses'),
    roles: cacheOf(`${rbac}/roles`),
    roleBindings: cacheOf(`${rbac}/rolebindings`),
    clusterRoles: cacheOf(`${rbac}/clusterroles`),
    clusterRoleBindings: cacheOf(`${rbac}/clusterrolebindings`),
  };
}

/** Loads all caches and lets them follow the store. */
export async function startCaches(caches: Caches, store: Store): Promise<void> {
  for (const cache of Object.values(caches) as ObjectCache<unknown>[]) await cache.start(store);
}
