import type { NamedPort } from '@wherry/network-policy';

/** What the cluster's DNS is known by everywhere: CoreDNS' service and pods have these. */
export const clusterDnsIdentity = {
  namespace: 'kube-system',
  labels: {
    'k8s-app': 'kube-dns',
    'kubernetes.io/cluster-service': 'true',
    'kubernetes.io/name': 'CoreDNS',
  },
  ports: [
    { name: 'dns', port: 53, protocol: 'UDP' },
    { name: 'dns-tcp', port: 53, protocol: 'TCP' },
    { name: 'metrics', port: 9153, protocol: 'TCP' },
  ],
} as const satisfies { namespace: string; labels: object; ports: readonly NamedPort[] };
