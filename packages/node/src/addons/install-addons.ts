import type { KubeClient, KubeObject } from '@wherry/client';
import type { NodeRecord } from '../layout/record.ts';
import { clusterDnsEndpoint, clusterDnsService } from './cluster-dns.ts';
import { networkRole, networkRoleBinding } from './network-access.ts';

/** Objects that a cluster has from its start on, beyond what the API server itself makes (kubeadm: addons). */
const addonsOf = (record: NodeRecord): readonly KubeObject[] => [
  // What is the whole cluster's, the node that serves it has applied.
  ...(record.joins === undefined ? [networkRole, networkRoleBinding, clusterDnsService] : []),
  clusterDnsEndpoint(record),
];

/** Applies them as the administrator; what is there already stays or becomes so again. */
export async function installAddons(client: KubeClient, record: NodeRecord): Promise<void> {
  await Promise.all(
    addonsOf(record).map((addon) => client.apply(addon, { fieldManager: 'wherry-addons', force: true })),
  );
}
