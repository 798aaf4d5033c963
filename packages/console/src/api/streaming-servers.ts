import { type KubeClient, kinds, resourcePath } from '@wherry/client';
import type { SessionList } from '@wherry/telemetry';
import type { UnseenHop } from '@wherry/telemetry/session-paths';

/** The streaming servers of this machine, which tell of their sessions to nobody else. */
export interface StreamingServers {
  /** The nodes whose streaming servers these are. */
  readonly nodes: readonly string[];
  /** Why there are no others. */
  readonly reason: string;
  list(node: string, signal: AbortSignal): Promise<SessionList>;
}

/** What the page is told of them. */
export interface StreamingSessions {
  lists: SessionList[];
  unseen: UnseenHop[];
  /** Why those of other nodes are not seen. */
  elsewhere: string;
}

const notGiven = "its list is read by a socket on its node's machine, and this console was given none";

/**
 * The sessions of these streaming servers, for whom the node's kubelet shows its own: a page acts as the kubeconfig's user,
 * whatever else the console's process may read.
 */
export async function streamingSessions(
  servers: StreamingServers | undefined,
  { client, signal }: { client: KubeClient; signal: AbortSignal },
): Promise<StreamingSessions> {
  const told: StreamingSessions = { lists: [], unseen: [], elsewhere: servers?.reason ?? notGiven };
  if (!servers) return told;
  for (const node of servers.nodes) {
    try {
      await askLeave(client, node, signal);
      told.lists.push({ ...(await servers.list(node, signal)), node });
    } catch (error) {
      signal.throwIfAborted();
      told.unseen.push({ hop: 'streaming-server', node, reason: (error as Error).message });
    }
  }
  return told;
}

/** Throws what the API server or the kubelet refuses; of the kubelet's own sessions it asks for none. */
async function askLeave(client: KubeClient, name: string, signal: AbortSignal): Promise<void> {
  const query = { id: 'none' };
  const path = resourcePath(kinds.nodes, { name, subresource: 'proxy/debug/sessions', query });
  await client.request({ method: 'GET', path, signal });
}
