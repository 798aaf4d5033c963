import { createKubeClient } from '@wherry/client';
import { memberLayout, rolesOf } from './layout/cluster.ts';
import type { NodeLayout, Role } from './layout/layout.ts';
import { apiUrlOf, isRunning, kubeletUrlOf, type NodeRecord } from './layout/record.ts';
import { readNode, readyCondition } from './processes/probes.ts';

/** What `wherry status --json` prints; a contract with scripts. */
export interface NodeStatus {
  name: string;
  dataDir: string;
  kubeconfig: string;
  processes: { role: Role; pid: number | null; state: 'running' | 'dead' }[];
  endpoints: { api: string; kubelet: string; cri: string };
  /** The nodes that joined its cluster. */
  nodes: { name: string; dataDir: string; ready: 'True' | 'False' | 'Unknown' }[];
  /** The node object's Ready condition; `Unknown` when the API server does not answer. */
  node: { ready: 'True' | 'False' | 'Unknown'; reason: string; message: string };
}

/** Looks at the processes and asks the API server. Never throws for a part that is down. */
export async function statusOf(layout: NodeLayout, record: NodeRecord): Promise<NodeStatus> {
  return {
    name: record.name,
    dataDir: layout.dataDir,
    kubeconfig: layout.kubeconfig,
    processes: rolesOf(record).map((role) => {
      const running = isRunning(record, role);
      return { role, pid: record.processes[role]?.pid ?? null, state: running ? 'running' : 'dead' };
    }),
    endpoints: { api: apiUrlOf(record), kubelet: kubeletUrlOf(record), cri: layout.criSocket },
    node: await askNode(layout, record, record.name),
    nodes: await Promise.all(
      (record.members ?? []).map(async (name) => {
        const { ready } = await askNode(layout, record, name);
        return { name, dataDir: memberLayout(layout, name).dataDir, ready };
      }),
    ),
  };
}

async function askNode(layout: NodeLayout, record: NodeRecord, name: string): Promise<NodeStatus['node']> {
  const unknown = { ready: 'Unknown', reason: 'ApiServerUnreachable', message: 'no answer' } as const;
  if (record.joins === undefined && !isRunning(record, 'apiserver')) return unknown;
  const client = createKubeClient({ kubeconfig: layout.kubeconfig });
  try {
    const ready = readyCondition(await readNode(client, name));
    if (!ready) return unknown;
    const { status, reason = '', message = '' } = ready;
    return { ready: status === 'True' || status === 'False' ? status : 'Unknown', reason, message };
  } finally {
    client.close();
  }
}
