import type { ClusterRole, ClusterRoleBinding, JsonObject, PolicyRule, Subject } from '@wherry/kubeapi';

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

function pathRule(paths: string): PolicyRule {
  return { nonResourceURLs: paths.split(' '), verbs: ['get'] };
}

const workloads =
  'daemonsets deployments deployments/scale replicasets replicasets/scale statefulsets statefulsets/scale';
const contents =
  'configmaps endpoints events persistentvolumeclaims pods pods/status pods/log replicationcontrollers ' +
  'replicationcontrollers/scale replicationcontrollers/status services services/status serviceaccounts bindings limitranges ' +
  'resourcequotas resourcequotas/status namespaces namespaces/status';

const viewRules: Rule[] = [
  ['core', contents, read],
  ['apps', `${workloads} controllerrevisions`, read],
  ['autoscaling', 'horizontalpodautoscalers', read],
  ['batch', 'cronjobs jobs', read],
  ['discovery.k8s.io', 'endpointslices', read],
  ['networking.k8s.io', 'ingresses networkpolicies', read],
  ['policy', 'poddisruptionbudgets', read],
];

const editRules: Rule[] = [
  ...viewRules,
  ['core', 'pods/attach pods/exec pods/portforward pods/proxy secrets services/proxy', read],
  ['core', 'serviceaccounts', 'impersonate'],
  ['core', 'pods pods/attach pods/exec pods/portforward pods/proxy', write],
  ['core', 'pods/eviction serviceaccounts/token', 'create'],
  [
    'core',
    'configmaps events persistentvolumeclaims replicationcontrollers replicationcontrollers/scale',
    write,
  ],
  // Not endpoints and endpoint slices: they would lead others' services anywhere (CVE-2021-25740).
  ['core', 'secrets serviceaccounts services services/proxy', write],
  ['apps', workloads, write],
  ['autoscaling', 'horizontalpodautoscalers', write],
  ['batch', 'cronjobs jobs', write],
  ['coordination.k8s.io', 'leases', all],
  ['networking.k8s.io', 'ingresses networkpolicies', write],
  ['policy', 'poddisruptionbudgets', write],
];

const adminRules: Rule[] = [
  ...editRules,
  ['authorization.k8s.io', 'localsubjectaccessreviews', 'create'],
  ['rbac.authorization.k8s.io', 'rolebindings roles', all],
];

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
  ['core', 'nodes namespaces pods services replicationcontrollers persistentvolumes', read],
  ['core', 'persistentvolumeclaims', `${read} patch update`],
  ['core', 'pods', 'delete'],
  ['core', 'bindings pods/binding', 'create'],
  ['core', 'pods/status', 'patch update'],
  ['apps', 'replicasets statefulsets', read],
  ['policy', 'poddisruptionbudgets', read],
  ['storage.k8s.io', 'csidrivers csinodes csistoragecapacities storageclasses volumeattachments', read],
  ['authentication.k8s.io', 'tokenreviews', 'create'],
  ['authorization.k8s.io', 'subjectaccessreviews', 'create'],
];

/** Upstream gives each controller an account of its own; ours share the manager's, which may what all of those may. */
const controllerRules: Rule[] = [
  // Garbage collector and namespaces.
  ['*', '*', `${read} delete deletecollection patch update`],
  ['core events.k8s.io', 'events', 'create'],
  ['core', 'configmaps serviceaccounts', 'create'],
  // Workloads and services.
  ['core', 'pods persistentvolumeclaims endpoints', 'create'],
  ['apps', 'replicasets controllerrevisions', 'create'],
  ['batch', 'jobs', 'create'],
  ['discovery.k8s.io', 'endpointslices', 'create'],
  ['coordination.k8s.io', 'leases', 'create'],
];

const discoveryPaths =
  '/api /api/* /apis /apis/* /healthz /livez /openapi /openapi/* /readyz /version /version/';

const roles: Record<string, PolicyRule[]> = {
  'cluster-admin': [
    { apiGroups: ['*'], resources: ['*'], verbs: ['*'] },
    { nonResourceURLs: ['*'], verbs: ['*'] },
  ],
  admin: adminRules.map(resourceRule),
  edit: editRules.map(resourceRule),
  view: viewRules.map(resourceRule),
  'system:basic-user': [
    resourceRule(['authorization.k8s.io', 'selfsubjectaccessreviews selfsubjectrulesreviews', 'create']),
    resourceRule(['authentication.k8s.io', 'selfsubjectreviews', 'create']),
  ],
  'system:discovery': [pathRule(discoveryPaths)],
  'system:public-info-viewer': [pathRule('/healthz /livez /readyz /version /version/')],
  'system:monitoring': [
    pathRule('/healthz /healthz/* /livez /livez/* /metrics /metrics/slis /readyz /readyz/*'),
  ],
  'system:service-account-issuer-discovery': [
    pathRule(
      '/.well-known/openid-configuration /.well-known/openid-configuration/ /openid/v1/jwks /openid/v1/jwks/',
    ),
  ],
  'system:kubelet-api-admin': [
    resourceRule(['core', 'nodes', 'get list watch proxy']),
    resourceRule([
      'core',
      'nodes/configz nodes/healthz nodes/log nodes/metrics nodes/pods nodes/proxy nodes/stats nodes/checkpoint',
      '*',
    ]),
  ],
  'system:auth-delegator': [
    resourceRule(['authentication.k8s.io', 'tokenreviews', 'create']),
    resourceRule(['authorization.k8s.io', 'subjectaccessreviews', 'create']),
  ],
  'system:node': nodeRules.map(resourceRule),
  'system:kube-scheduler': schedulerRules.map(resourceRule),
  'system:kube-controller-manager': controllerRules.map(resourceRule),
};

const group = (name: string): Subject => ({ kind: 'Group', name, apiGroup: 'rbac.authorization.k8s.io' });
const user = (name: string): Subject => ({ kind: 'User', name, apiGroup: 'rbac.authorization.k8s.io' });

const bindings: Record<string, Subject[]> = {
  'cluster-admin': [group('system:masters')],
  'system:basic-user': [group('system:authenticated')],
  'system:discovery': [group('system:authenticated')],
  'system:public-info-viewer': [group('system:authenticated'), group('system:unauthenticated')],
  'system:monitoring': [group('system:monitoring')],
  'system:service-account-issuer-discovery': [group('system:serviceaccounts')],
  // As this server is known to kubelets.
  'system:kubelet-api-admin': [user('kube-apiserver-kubelet-client')],
  'system:kube-scheduler': [user('system:kube-scheduler')],
  'system:kube-controller-manager': [user('system:kube-controller-manager')],
};

const bootstrapMetadata = (name: string) => ({
  name,
  labels: { 'kubernetes.io/bootstrapping': 'rbac-defaults' },
  annotations: { 'rbac.authorization.kubernetes.io/autoupdate': 'true' },
});

/** The cluster roles, without kind. */
export function bootstrapRoles(): (ClusterRole & JsonObject)[] {
  return Object.entries(roles).map(
    ([name, rules]) => ({ metadata: bootstrapMetadata(name), rules }) as unknown as ClusterRole & JsonObject,
  );
}

/** The cluster role bindings, without kind; each is named after its role. */
export function bootstrapBindings(): (ClusterRoleBinding & JsonObject)[] {
  return Object.entries(bindings).map(([name, subjects]) => {
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name };
    return { metadata: bootstrapMetadata(name), subjects, roleRef } as unknown as ClusterRoleBinding &
      JsonObject;
  });
}
