import type { ClusterRole, ClusterRoleBinding } from '@wherry/kubeapi/objects';

const name = 'wherry:network';
const reads = ['list', 'watch'];

/** What the network's process reads beyond upstream's `system:node-proxier`: who pods are, and what is allowed to them. */
export const networkRole: ClusterRole = {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRole',
  metadata: { name },
  rules: [
    { apiGroups: [''], resources: ['namespaces', 'pods'], verbs: reads },
    { apiGroups: ['networking.k8s.io'], resources: ['networkpolicies'], verbs: reads },
  ],
};

/** Gives it to the user of the network's certificate. */
export const networkRoleBinding: ClusterRoleBinding = {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRoleBinding',
  metadata: { name },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name },
  subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'system:kube-proxy' }],
};
