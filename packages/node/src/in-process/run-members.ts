import { createKubeClient } from '@wherry/client';
import { startKubelet } from '@wherry/kubelet';
import type { Logger } from '@wherry/telemetry';
import { installAddons } from '../addons/install-addons.ts';
import { memberLayout } from '../layout/cluster.ts';
import type { NodeLayout } from '../layout/layout.ts';
import { lockNode } from '../layout/lock.ts';
import { type NodeRecord, writeRecord } from '../layout/record.ts';
import { ensurePki } from '../pki/ensure-pki.ts';
import { roleFlags } from '../processes/role-flags.ts';
import { startNetworkFrom } from '../roles/network/network.ts';
import { makeFolders, pkiOptions, writeConfiguration } from '../start/configure.ts';
import { newRecord } from '../start/new-record.ts';
import { type Patience, runContainers, untilReady } from './node-parts.ts';
import { Parts } from './parts.ts';

/** The node whose cluster is joined: its API server answers. */
export interface ServingNode {
  layout: NodeLayout;
  record: NodeRecord;
  /** Resolves once what is the whole cluster's was applied. */
  addons: Promise<void>;
}

/** Applies what a node's cluster has from its start on. */
export async function applyAddons(layout: NodeLayout, record: NodeRecord): Promise<void> {
  const client = createKubeClient({ kubeconfig: layout.kubeconfig });
  try {
    await installAddons(client, record);
  } finally {
    client.close();
  }
}

/** Runs nodes that join a cluster, and resolves once all are Ready. Of several that one fails of, none stays. */
export async function runMembers(
  server: ServingNode,
  names: readonly string[],
  options: Patience & { logger: Logger },
): Promise<{ close(): Promise<void> }> {
  const all = names.map(() => new Parts());
  const close = async () => {
    await Promise.all(all.map((parts) => parts.close()));
  };
  const starts = names.map((name, index) => runMember(server, name, { ...options, parts: all[index]! }));
  const failed = (await Promise.allSettled(starts)).find((start) => start.status === 'rejected');
  if (!failed) return { close };
  await close();
  throw failed.reason;
}

async function runMember(
  server: ServingNode,
  name: string,
  { parts, logger, ...patience }: Patience & { parts: Parts; logger: Logger },
): Promise<void> {
  const layout = memberLayout(server.layout, name);
  using _lock = await lockNode(layout, patience.signal);
  const { apiPort } = server.record;
  makeFolders(layout, { joins: server.layout.dataDir });
  const record = newRecord(layout, { name, joins: server.layout }, { apiPort, kubeletPort: 0 });
  writeRecord(layout, record);
  const containers = runContainers(layout, record, { parts, logger });
  await ensurePki(pkiOptions(layout, record));
  writeConfiguration(layout, record);
  const kubelet = parts.add('kubelet', startKubelet({ ...roleFlags.kubelet(layout, record), logger }));
  await server.addons;
  await applyAddons(layout, record);
  await parts.add('network', startNetworkFrom(roleFlags.network(layout, record), logger));
  await containers;
  record.kubeletPort = (await kubelet).port;
  writeRecord(layout, record);
  await untilReady(layout, record, patience);
}
