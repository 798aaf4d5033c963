import { dirname } from 'node:path';
import { type ClusterAccess, kubeconfigPaths, loadClusterAccess } from '@wherry/client';
import { defaultDataDir, layoutOf, type NodeLayout } from '@wherry/node/layout';
import type { KubeFlags } from '../kube/flags.ts';
import type { LocalStreamingServer } from './monitor-source.ts';

/** The streaming servers of a cluster that this machine has. */
export interface LocalStreamingServers {
  servers: LocalStreamingServer[];
  /** Why there are no others. */
  reason: string;
}

const byItsSocket = "its list is read by a socket on its node's machine";

/**
 * The streaming servers of this machine whose nodes are of the cluster that is asked. Nodes are looked for in `--data-dir`,
 * in the kubeconfig's own folder and in the usual one. Never throws.
 */
export async function findLocalStreamingServers(
  access: ClusterAccess,
  flags: Pick<KubeFlags, 'dataDir' | 'kubeconfig'>,
): Promise<LocalStreamingServers> {
  let reason = `${byItsSocket}, and there is no node in ${foldersOf(flags).at(-1)}; --data-dir names another folder`;
  for (const folder of foldersOf(flags)) {
    try {
      const found = await serversIn(layoutOf(folder), access);
      if (found) return { servers: found, reason: `${byItsSocket}, and ${folder} has no such node` };
    } catch (error) {
      reason = `${byItsSocket}: ${(error as Error).message}`;
    }
  }
  return { servers: [], reason };
}

function foldersOf({ dataDir, kubeconfig }: Pick<KubeFlags, 'dataDir' | 'kubeconfig'>): string[] {
  if (dataDir !== undefined) return [dataDir];
  return [...new Set([...kubeconfigPaths(kubeconfig).map((path) => dirname(path)), defaultDataDir])];
}

/** Undefined where there is no node, or one of another cluster. */
async function serversIn(
  layout: NodeLayout,
  access: ClusterAccess,
): Promise<LocalStreamingServer[] | undefined> {
  const { readRecord, memberLayouts } = await import('@wherry/node');
  const record = readRecord(layout);
  if (!record) return undefined;
  const serving = record.joins === undefined ? layout : layoutOf(record.joins);
  const own = loadClusterAccess({ kubeconfig: serving.kubeconfig });
  if (!isSameCluster(own, access)) throw new Error(`the node in ${layout.dataDir} is of another cluster`);
  return [serving, ...memberLayouts(serving)].flatMap((one) => {
    const node = readRecord(one)?.name;
    return node === undefined ? [] : [{ node, socketPath: one.monitorSocket }];
  });
}

/** Each cluster has an authority of its own; who checks no certificate is taken at the address. */
function isSameCluster(own: ClusterAccess, asked: ClusterAccess): boolean {
  return own.tls.ca && asked.tls.ca
    ? own.tls.ca.toString().trim() === asked.tls.ca.toString().trim()
    : own.server.host === asked.server.host;
}
