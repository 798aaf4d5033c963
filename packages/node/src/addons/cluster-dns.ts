import type { EndpointSlice, Service } from '@wherry/kubeapi/objects';
import { gatewayOf, type NodeRecord } from '../layout/record.ts';
import { clusterDnsAddress } from '../processes/dns-names.ts';
import { clusterDnsIdentity } from '../roles/cluster-dns-identity.ts';

const { namespace, labels, ports } = clusterDnsIdentity;
const name = 'kube-dns';

/** The service of the cluster's DNS, under the name and with the ports that it has everywhere; no pod is behind it. */
export const clusterDnsService: Service = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: {
    ...{ name, namespace, labels },
    annotations: { 'prometheus.io/port': '9153', 'prometheus.io/scrape': 'true' },
  },
  spec: { clusterIP: clusterDnsAddress, ports: [...ports] },
};

/** What the slice of a node's server is called. */
export const clusterDnsEndpointName = (record: Pick<NodeRecord, 'name'>) => `${name}-${record.name}`;

/**
 * The server on a node: its process listens at the machine's address in the pods' network, and answers the pods of that node
 * alone, so each node is led to its own.
 */
export function clusterDnsEndpoint(record: NodeRecord): EndpointSlice {
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: {
      ...{ namespace, name: clusterDnsEndpointName(record) },
      labels: {
        ...labels,
        'kubernetes.io/service-name': name,
        'endpointslice.kubernetes.io/managed-by': 'wherry',
      },
    },
    addressType: 'IPv4',
    endpoints: [
      {
        addresses: [gatewayOf(record)],
        conditions: { ready: true },
        nodeName: record.name,
        hints: { forNodes: [{ name: record.name }] },
      },
    ],
    ports: [...ports],
  };
}
