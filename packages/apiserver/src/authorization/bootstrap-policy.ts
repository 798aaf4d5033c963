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

const read = 'get list watch';
const write = 'create delete deletecollection patch update';
const all = `${read} ${write}`;

/** A word per entry; the core group is `core` here. */
const words = (text: string) => text.split(' ').map((word) => (word === 'core' ? '' : word));

function resourceRule([groups, resources, verbs]: Rule): PolicyRule {
  return { apiGroups: words(groups), resources: words(resources), verbs: words(verbs) };
}

/** What a node may do; the node authorizer and NodeRestriction divide most of it among the nodes. */
const nodeRules: Rule[] = [
  ['authentication.k8s.io', 'tokenreviews', 'create'],
  ['authorization.k8s.io', 'subjectaccessreviews localsubjectaccessreviews', 'create'],
  ['core', 'services', read],
  ['core', 'nodes', `create ${read}`],
  ['core', 'nodes/status', 'update patch'],
  ['core', 'nodes', 'update patch'],
  ['core events.k8s.io', 'events', 'create update patch'],
  ['core', 'pods', read],
  ['core', 'pods', 'create delete'],
  ['core', 'pods/status', 'update patch'],
  ['core', 'pods/eviction', 'create'],
  ['core', 'secrets configmaps', read],
  ['core', 'persistentvolumeclaims persistentvolumes', 'get'],
  ['core', 'endpoints', 'get'],
  ['certificates.k8s.io', 'certificatesigningrequests', `create ${read}`],
  ['coordination.k8s.io', 'leases', 'get create update patch delete'],
  ['storage.k8s.io', 'volumeattachments', 'get'],
  ['core', 'serviceaccounts/token', 'create'],
  ['core', 'persistentvolumeclaims/status', 'get update patch'],
  ['storage.k8s.io', 'csidrivers', read],
  ['storage.k8s.io', 'csinodes', 'get create update patch delete'],
  ['node.k8s.io', 'runtimeclasses', read],
  ['core', 'serviceaccounts', 'get'],
];

const schedulerRules: Rule[] = [
  ['core events.k8s.io', 'events', 'create patch update'],
  ['coordination.k8s.io', 'leases leasecandidates', all],
  ['core', 'nodes namespaces pods services replicationcontrollers', read],
  ['core', 'persistentvolumeclaims persistentvolumes', `${read} patch update`],
  ['core', 'pods', 'delete'],
  ['core', 'bindings pods/binding', 'create'],
  ['core', 'pods/status', 'patch update'],
  ['apps', 'replicasets statefulsets', read],
  ['policy', 'poddisruptionbudgets', read],
  ['storage.k8s.io', 'csidrivers csinodes csistoragecapacities storageclasses volumeattachments', read],
  ['resource.k8s.io', 'deviceclasses resourceslices', read],
  ['resource.k8s.io', 'resourceclaims resourceclaims/status', `${read} patch update`],
  ['resource.k8s.io', 'resourceclaims', 'create delete'],
  ['resource.k8s.io', 'resourceclaims/binding', 'patch update'],
  ['authentication.k8s.io', 'tokenreviews', 'create'],
  ['authorization.k8s.io', 'subjectaccessreviews', 'create'],
];

/** Upstream gives each controller an account of its own; ours share the manager's, which may what all of those may. */
const controllerRules: Rule[] = [
  // Garbage collector and namespaces.
  ['*', '*', `${read} delete deletecollection patch update`],
  ['core events.k8s.io', 'events', 'create'],
  ['core', 'configmaps serviceaccounts', 'create'],
  // Certificates: whether a kubelet may have one is asked, whoever signs needs the right to, and sums hold what others do.
  ['authorization.k8s.io', 'subjectaccessreviews', 'create'],
  ['certificates.k8s.io', 'signers', 'approve sign'],
  ['rbac.authorization.k8s.io', 'clusterroles', 'escalate'],
  // Workloads and services.
  ['core', 'pods persistentvolumeclaims endpoints', 'create'],
  ['apps', 'replicasets controllerrevisions', 'create'],
  ['batch', 'jobs', 'create'],
  ['discovery.k8s.io', 'endpointslices', 'create'],
  ['coordination.k8s.io', 'leases', 'create'],
  // Storage.
  ['core', 'persistentvolumes', 'create'],
  ['storage.k8s.io', 'storageclasses volumeattachments', 'create'],
  // Devices.
  ['resource.k8s.io', 'resourceclaims', 'create'],
  ['resource.k8s.io', 'resourceclaims/binding', 'patch update'],
];

/** Roles that begin with the rules of these parts; a controller keeps the sum when further ones come. */
const sums: Readonly<Record<string, readonly string[]>> = {
  view: ['system:aggregate-to-view'],
  edit: ['system:aggregate-to-view', 'system:aggregate-to-edit'],
  admin: ['system:aggregate-to-view', 'system:aggregate-to-edit', 'system:aggregate-to-admin'],
};

/** Where this server's parts need other rights than upstream's. */
const ownRules: ReadonlyMap<string, readonly Rule[]> = new Map([
  ['system:node', nodeRules],
  ['system:kube-scheduler', schedulerRules],
  ['system:kube-controller-manager', controllerRules],
]);

/** What API servers may at kubelets beyond upstream's role of that name: kubeadm makes them cluster administrators for it. */
const kubeletApiRules: readonly Rule[] = [['core', 'nodes/checkpoint nodes/statusz', '*']];

function rulesOf({ metadata, rules = [] }: ClusterRole): PolicyRule[] {
  const name = metadata?.name ?? '';
  const own = ownRules.get(name);
  if (own) return own.map(resourceRule);
  if (name === kubeletApiAdmin.roleRef.name) return [...rules, ...kubeletApiRules.map(resourceRule)];
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
