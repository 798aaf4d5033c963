import { createKubeClient, kinds } from '@wherry/client';
import { hasReason } from '@wherry/kubeapi/objects';
import { clusterDnsEndpoint } from '../addons/cluster-dns.ts';
import { serverLayout } from '../layout/cluster.ts';
import type { NodeLayout } from '../layout/layout.ts';
import { lockNode } from '../layout/lock.ts';
import { isRunning, type NodeRecord, readRecord, writeRecord } from '../layout/record.ts';

/**
 * Takes a node that is gone for good out of the cluster that it had joined: its objects, as far as the cluster's API server
 * answers, and its name from what the node that serves the cluster starts with.
 */
export async function leaveCluster(layout: NodeLayout, left: NodeRecord): Promise<void> {
  const server = serverLayout(layout, left);
  using _lock = await lockNode(server);
  const record = readRecord(server);
  if (!record) return;
  record.members = record.members?.filter((name) => name !== left.name) ?? [];
  writeRecord(server, record);
  if (isRunning(record, 'apiserver')) await removeObjects(server, left);
}

async function removeObjects({ kubeconfig }: NodeLayout, left: NodeRecord): Promise<void> {
  const client = createKubeClient({ kubeconfig });
  const { name = '', namespace = '' } = clusterDnsEndpoint(left).metadata;
  try {
    await client.resource(kinds.nodes).delete({ name: left.name }).catch(unlessGone);
    await client.resource(kinds.endpointSlices).delete({ name, namespace }).catch(unlessGone);
  } finally {
    client.close();
  }
}

function unlessGone(error: unknown): void {
  if (!hasReason(error, 'NotFound')) throw error;
}
