import {
  type ClusterRole,
  type ClusterRoleBinding,
  type JsonObject,
  ownValue,
  type PolicyRule,
  type Role,
  type RoleBinding,
  type Subject,
} from '@wherry/kubeapi';
import { clusterRoleBindings, clusterRoles, roleBindings, roles } from '../generated/bootstrap-policy.ts';

/** Roles and bindings that every cluster starts with, and gets back when they are lost (upstream: bootstrappolicy). */

type Rule = [groups: string, resources: string, verbs: string];

/** A word per entry; the core group is `core` here. */
const words = (text: string) => text.split(' ').map((word) => (word === 'core' ? '' : word));

function resourceRule([groups, resources, verbs]: Rule): PolicyRule {
  return { apiGroups: words(groups), resources: words(resources), verbs: words(verbs) };
}

/** What the manager's user may beyond upstream's role, where controllers without accounts of their own share it. */
const controllerRules: Rule[] = [
  // Garbage collector and namespaces.
  ['*', '*', 'get list watch delete deletecollection patch update'],
  ['core', 'configmaps', 'create'],
  // Certificates: whoever signs needs the right to. Roles: sums hold what others may.
  ['certificates.k8s.io', 'signers', 'approve sign'],
  ['rbac.authorization.k8s.io', 'clusterroles', 'escalate'],
  // Workloads and services.
  ['core', 'pods persistentvolumeclaims endpoints', 'create'],
  ['apps', 'replicasets controllerrevisions', 'create'],
  ['batch', 'jobs', 'create'],
  ['discovery.k8s.io', 'endpointslices', 'create'],
  // Storage.
  ['core', 'persistentvolumes', 'create'],
  ['storage.k8s.io', 'storageclasses volumeattachments', 'create'],
  // Devices.
  ['resource.k8s.io', 'resourceclaims', 'create'],
  ['resource.k8s.io', 'resourceclaims/binding', 'patch update'],
];

/** What API servers may at kubelets beyond upstream's role of that name: kubeadm makes them cluster administrators for it. */
const kubeletApiRules: readonly Rule[] = [['core', 'nodes/checkpoint nodes/statusz', '*']];

/** Roles that begin with the rules of these parts; a controller keeps the sum when further ones come. */
const sums: Readonly<Record<string, readonly string[]>> = {
  view: ['system:aggregate-to-view'],
  edit: ['system:aggregate-to-view', 'system:aggregate-to-edit'],
  admin: ['system:aggregate-to-view', 'system:aggregate-to-edit', 'system:aggregate-to-admin'],
};

/** Where this server's parts need more rights than upstream's. */
const furtherRules: ReadonlyMap<string, readonly Rule[]> = new Map([
  ['system:kube-controller-manager', controllerRules],
  ['system:kubelet-api-admin', kubeletApiRules],
]);

function rulesOf({ metadata, rules = [] }: ClusterRole): PolicyRule[] {
  const name = metadata?.name ?? '';
  const further = furtherRules.get(name);
  if (further) return [...rules, ...further.map(resourceRule)];
  const parts = ownValue(sums, name);
  if (!parts) return rules;
  return clusterRoles
    .filter((role) => parts.includes(role.metadata?.name ?? ''))
    .flatMap((role) => role.rules ?? []);
}

/** As this server is known to kubelets. */
const kubeletClient: Subject = {
  kind: 'User',
  name: 'kube-apiserver-kubelet-client',
  apiGroup: 'rbac.authorization.k8s.io',
};
const kubeletApiAdmin: ClusterRoleBinding = {
  metadata: { name: 'system:kubelet-api-admin' },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'system:kubelet-api-admin' },
  subjects: [kubeletClient],
};

/** A copy that says where it comes from, and that its rules come back. */
function marked<T extends Pick<ClusterRole, 'metadata'>>(object: T): T & JsonObject {
  const metadata = {
    ...object.metadata,
    labels: { 'kubernetes.io/bootstrapping': 'rbac-defaults', ...object.metadata?.labels },
    annotations: { 'rbac.authorization.kubernetes.io/autoupdate': 'true' },
  };
  return structuredClone({ ...object, metadata }) as unknown as T & JsonObject;
}

/** The cluster roles, without kind. */
export function bootstrapRoles(): (ClusterRole & JsonObject)[] {
  return clusterRoles.map((role) => marked({ ...role, rules: rulesOf(role) }));
}

/** The cluster role bindings, without kind. */
export function bootstrapBindings(): (ClusterRoleBinding & JsonObject)[] {
  return [...clusterRoleBindings, kubeletApiAdmin].map(marked);
}

/** Roles and bindings of the system's namespaces, without kind. */
export function bootstrapNamespaced(): {
  roles: (Role & JsonObject)[];
  bindings: (RoleBinding & JsonObject)[];
} {
  return { roles: roles.map(marked), bindings: roleBindings.map(marked) };
}
