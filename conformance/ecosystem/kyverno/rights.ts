/** What Kyverno's suites have it read and write beyond what its manifest allows: roles that are added to its own by their labels. */
const changing = ['create', 'update', 'patch', 'delete', 'get', 'list'];
const generated = [
  ...['configmaps', 'networkpolicies', 'resourcequotas', 'secrets', 'limitranges', 'namespaces', 'pods'],
  ...['roles', 'rolebindings', 'clusterroles', 'clusterrolebindings', 'nodes', 'nodes/status'],
];

const right = (controller: string, rule: object) => ({
  ...{ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole' },
  metadata: {
    name: `kyverno:suites:${controller}`,
    labels: { [`rbac.kyverno.io/aggregate-to-${controller}`]: 'true' },
  },
  rules: [rule],
});

export const moreRights = [
  right('admission-controller', { apiGroups: ['*'], resources: ['secrets'], verbs: changing }),
  right('background-controller', { apiGroups: ['*'], resources: generated, verbs: changing }),
  right('cleanup-controller', { apiGroups: [''], resources: ['pods'], verbs: ['list', 'delete'] }),
];
