import type { Node, Pod } from '@wherry/kubeapi';
import { matchesNodeAffinity } from './node-affinity.ts';
import { type Amounts, amountsOf, podRequests } from './pod-requests.ts';
import { effectiveTaints, untolerated } from './taints.ts';

/** A node and the pods that count against it. */
export interface NodeInfo {
  node: Node;
  pods: Pod[];
}

/** Whether a pod still uses what it asked for. */
export function isFinished(pod: Pod): boolean {
  return pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed';
}

/** What the pods of a node ask for together. */
export function requestedOn(info: NodeInfo): Amounts {
  const total: Amounts = new Map();
  for (const pod of info.pods) {
    for (const [name, amount] of podRequests(pod)) total.set(name, (total.get(name) ?? 0) + amount);
  }
  return total;
}

function hostPorts(pod: Pod): string[] {
  const containers = [...(pod.spec?.initContainers ?? []), ...(pod.spec?.containers ?? [])];
  return containers.flatMap((container) =>
    (container.ports ?? [])
      .filter((port) => port.hostPort)
      .map((port) => `${port.protocol ?? 'TCP'}/${port.hostPort}`),
  );
}

function insufficient(pod: Pod, info: NodeInfo): string[] {
  const allocatable = amountsOf(info.node.status?.allocatable);
  const reasons: string[] = [];
  if ((info.pods.length + 1) * 1000 > (allocatable.get('pods') ?? 0)) reasons.push('Too many pods');
  const requested = requestedOn(info);
  for (const [name, amount] of podRequests(pod)) {
    if (amount > 0 && amount + (requested.get(name) ?? 0) > (allocatable.get(name) ?? 0)) {
      reasons.push(`Insufficient ${name}`);
    }
  }
  return reasons;
}

/**
 * Why the pod does not fit the node, in the words that users of kube-scheduler know; empty when it fits. Pod affinity,
 * topology spread and volumes are not looked at.
 */
export function misfits(pod: Pod, info: NodeInfo): string[] {
  const { node } = info;
  const taint = untolerated(effectiveTaints(node), pod.spec?.tolerations, ['NoSchedule', 'NoExecute']);
  if (taint) {
    const label = taint.value ? `${taint.key}: ${taint.value}` : `${taint.key}: `;
    return [`node(s) had untolerated taint {${label}}`];
  }
  if (!matchesNodeAffinity(pod, node)) return ["node(s) didn't match Pod's node affinity/selector"];
  const wanted = hostPorts(pod);
  const taken = new Set(wanted.length > 0 ? info.pods.flatMap(hostPorts) : []);
  if (wanted.some((port) => taken.has(port))) {
    return ["node(s) didn't have free ports for the requested pod ports"];
  }
  return insufficient(pod, info);
}
