import { connect } from 'node:net';
import { type KubeClient, kinds } from '@wherry/client';
import { deadline, systemClock } from '@wherry/clock';
import type { Node } from '@wherry/kubeapi';
import { gatewayOf, type NodeRecord } from '../layout/record.ts';
import { limits } from '../limits.ts';

/** True when something accepts connections on a unix socket. */
export function socketAnswers(path: string): Promise<boolean> {
  return connects({ path });
}

/** True when something accepts connections on a TCP port of this machine. */
export function portAnswers(port: number, host = '127.0.0.1'): Promise<boolean> {
  return connects({ port, host });
}

/** True when the cluster's DNS, or whoever else has its port, can be asked. */
export function dnsAnswers(record: NodeRecord): Promise<boolean> {
  return portAnswers(53, gatewayOf(record));
}

function connects(target: { path: string } | { port: number; host: string }): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ ...target, timeout: limits.probeTimeoutMs });
    const settle = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('connect', () => settle(true));
    socket.once('error', () => settle(false));
    socket.once('timeout', () => settle(false));
  });
}

/** True when the API server says that it is ready. */
export async function apiIsReady(client: KubeClient): Promise<boolean> {
  using limit = deadline({ clock: systemClock, timeoutMs: limits.probeTimeoutMs });
  try {
    const answer = await client.stream({
      method: 'GET',
      path: '/readyz',
      signal: limit.signal,
    });
    answer.cancel();
    return true;
  } catch {
    return false;
  }
}

/** The node object, or undefined when the API server can't be asked or does not know it. */
export async function readNode(client: KubeClient, name: string): Promise<Node | undefined> {
  using limit = deadline({ clock: systemClock, timeoutMs: limits.probeTimeoutMs });
  try {
    return await client.resource(kinds.nodes).get({ name, signal: limit.signal });
  } catch {
    return undefined;
  }
}

/** True when pods of the namespace `default` have a service account, without which none is taken. */
export async function hasDefaultAccount(client: KubeClient): Promise<boolean> {
  using limit = deadline({ clock: systemClock, timeoutMs: limits.probeTimeoutMs });
  try {
    await client
      .resource(kinds.serviceAccounts)
      .get({ name: 'default', namespace: 'default', signal: limit.signal });
    return true;
  } catch {
    return false;
  }
}

/** The status of the node's Ready condition and when the kubelet last wrote it. */
export function readyCondition(node: Node | undefined) {
  return node?.status?.conditions?.find((condition) => condition.type === 'Ready');
}
