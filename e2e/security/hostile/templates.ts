import { ownNamespace, victimNamespace } from './roles.ts';

/** A request before it is damaged. */
export interface Template {
  method: string;
  path: string;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: unknown;
}

const meta = (name: string, namespace?: string) => ({ name, ...(namespace ? { namespace } : {}) });

const podSpec = {
  containers: [{ name: 'main', image: 'nowhere.test/none:1', securityContext: { privileged: true } }],
  volumes: [{ name: 'host', hostPath: { path: '/' } }],
  serviceAccountName: 'default',
};

const rules = [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }];
const roleRef = (kind: string, name: string) => ({ apiGroup: 'rbac.authorization.k8s.io', kind, name });
const subjects = [{ kind: 'ServiceAccount', name: 'owner', namespace: 'default' }];

/** An object of each kind that matters for rights, as someone might send it to get more of them. */
const objects = (namespace: string): [path: string, body: Record<string, unknown>][] => {
  const core = `/api/v1/namespaces/${namespace}`;
  const rbac = '/apis/rbac.authorization.k8s.io/v1';
  const rbacIn = `${rbac}/namespaces/${namespace}`;
  return [
    [`${core}/configmaps`, { kind: 'ConfigMap', metadata: meta('made', namespace), data: { a: 'b' } }],
    [`${core}/secrets`, { kind: 'Secret', metadata: meta('made', namespace), stringData: { a: 'b' } }],
    [
      `${core}/services`,
      { kind: 'Service', metadata: meta('made', namespace), spec: { ports: [{ port: 80 }] } },
    ],
    [`${core}/serviceaccounts`, { kind: 'ServiceAccount', metadata: meta('made', namespace) }],
    [`${core}/pods`, { kind: 'Pod', metadata: meta('made', namespace), spec: podSpec }],
    [`${core}/serviceaccounts/default/token`, { kind: 'TokenRequest', spec: { audiences: [] } }],
    [
      `${core}/pods/made/binding`,
      { kind: 'Binding', metadata: meta('made', namespace), target: { name: 'e2e' } },
    ],
    [`${core}/pods/made/eviction`, { kind: 'Eviction', metadata: meta('made', namespace) }],
    [`${core}/events`, { kind: 'Event', metadata: meta('made', namespace), involvedObject: {} }],
    [`${rbacIn}/roles`, { kind: 'Role', metadata: meta('made', namespace), rules }],
    [
      `${rbacIn}/rolebindings`,
      {
        kind: 'RoleBinding',
        metadata: meta('made', namespace),
        subjects,
        roleRef: roleRef('ClusterRole', 'cluster-admin'),
      },
    ],
    [
      `${rbacIn}/clusterrolebindings`,
      {
        kind: 'ClusterRoleBinding',
        metadata: meta('made'),
        subjects,
        roleRef: roleRef('ClusterRole', 'cluster-admin'),
      },
    ],
    [`${rbac}/clusterroles`, { kind: 'ClusterRole', metadata: meta('made'), rules }],
    [
      `${rbac}/clusterrolebindings`,
      {
        kind: 'ClusterRoleBinding',
        metadata: meta('made'),
        subjects,
        roleRef: roleRef('ClusterRole', 'cluster-admin'),
      },
    ],
    ['/api/v1/nodes', { kind: 'Node', metadata: meta('false-node') }],
    ['/api/v1/namespaces', { kind: 'Namespace', metadata: meta('kube-made') }],
    [
      `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases`,
      { kind: 'Lease', metadata: meta('made', namespace) },
    ],
  ];
};

const apiVersionOf = (path: string) => /^\/apis?\/((?:[^/]+\/)?v1)/.exec(path)?.[1] ?? 'v1';

const writes = (namespace: string): Template[] =>
  objects(namespace).flatMap(([path, body]) => {
    const object = { apiVersion: apiVersionOf(path), ...body };
    const one = `${path}/made`;
    const patch = (type: string): Template => ({
      method: 'PATCH',
      path: one,
      headers: { 'content-type': `application/${type}` },
      body:
        type === 'json-patch+json' ? [{ op: 'add', path: '/metadata/labels', value: { a: 'b' } }] : object,
    });
    return [
      { method: 'POST', path, body: object },
      { method: 'PUT', path: one, body: object },
      ...['merge-patch+json', 'strategic-merge-patch+json', 'json-patch+json'].map(patch),
      { ...patch('apply-patch+yaml'), query: { fieldManager: 'hostile', force: 'true' } },
      { method: 'DELETE', path: one },
      { method: 'DELETE', path },
    ];
  });

const reads: Template[] = [
  '/api',
  '/apis',
  '/version',
  '/healthz',
  '/livez/ping',
  '/metrics',
  '/openapi/v3',
  '/openapi/v2',
  '/api/v1/nodes',
  '/api/v1/nodes/e2e/proxy/pods',
  '/api/v1/namespaces',
  '/api/v1/secrets',
  '/api/v1/pods',
  `/api/v1/namespaces/${victimNamespace}/secrets/hidden`,
  `/api/v1/namespaces/${victimNamespace}/secrets`,
  `/api/v1/namespaces/${ownNamespace}/secrets`,
  `/api/v1/namespaces/${ownNamespace}/nodes`,
  `/api/v1/namespaces/${ownNamespace}/pods/made/log`,
  `/api/v1/namespaces/${ownNamespace}/pods/made/exec`,
  `/api/v1/namespaces/${ownNamespace}/services/made/proxy/`,
  '/apis/rbac.authorization.k8s.io/v1/clusterroles',
  '/debug/pprof/heap',
].map((path) => ({ method: 'GET', path }));

const reviews: Template[] = [
  'selfsubjectaccessreviews',
  'selfsubjectrulesreviews',
  'subjectaccessreviews',
].map((resource) => ({
  method: 'POST',
  path: `/apis/authorization.k8s.io/v1/${resource}`,
  body: { apiVersion: 'authorization.k8s.io/v1', spec: { namespace: victimNamespace } },
}));

/** Requests to the API server. */
export const apiTemplates: Template[] = [
  ...reads,
  ...reads
    .filter(({ path }) => path.startsWith('/api/v1/'))
    .map((read) => ({ ...read, query: { watch: 'true', timeoutSeconds: '1' } })),
  ...reviews,
  ...writes(ownNamespace),
  ...writes(victimNamespace),
];

/** Requests to the kubelet. */
export const kubeletTemplates: Template[] = [
  { method: 'GET', path: '/pods' },
  { method: 'GET', path: '/runningpods/' },
  { method: 'GET', path: '/metrics' },
  { method: 'GET', path: '/configz' },
  { method: 'GET', path: '/stats/summary' },
  { method: 'GET', path: '/containerLogs/default/made/main' },
  { method: 'POST', path: '/run/default/made/main', query: { cmd: 'id' } },
  { method: 'POST', path: '/exec/default/made/main', query: { command: 'id', output: '1' } },
  { method: 'GET', path: '/attach/default/made/main', query: { output: '1' } },
  { method: 'POST', path: '/portForward/default/made', query: { port: '80' } },
  { method: 'GET', path: '/logs/' },
  { method: 'GET', path: '/debug/pprof/profile' },
];
