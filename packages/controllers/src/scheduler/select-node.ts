import type { Pod } from '@wherry/kubeapi/objects';
import { amountsOf, misfits, type NodeInfo, nodePreference, requestedUnits, unitsOf } from '@wherry/podrules';
import { unsupportedConstraints } from './unsupported-constraints.ts';

/** Where a pod goes, or why it goes nowhere. */
export type Decision = { nodeName: string } | { message: string };

/** Share of cpu and memory that stays free on the node with the pod on it, 0 to 1. */
function freeShare(pod: Pod, info: NodeInfo): number {
  const allocatable = amountsOf(info.node.status?.allocatable);
  const requested = requestedUnits([...info.pods, pod]);
  const shares = ['cpu', 'memory'].map((name) => {
    const amount = allocatable.get(name);
    const total = amount ? unitsOf(name, amount) : 0;
    const used = requested.get(name) ?? 0;
    return total > 0 ? Math.max(0, total - used) / total : 0;
  });
  return shares.reduce((sum, share) => sum + share, 0) / shares.length;
}

function explain(nodeCount: number, reasons: string[]): string {
  const counts = new Map<string, number>();
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  const parts = [...counts].map(([reason, count]) => `${count} ${reason}`).sort();
  return `0/${nodeCount} nodes are available: ${parts.join(', ')}.`;
}

/**
 * Chooses the fitting node with the most preference, then the most free resources, then the first name. `storageMisfits`
 * says why the pod's claims keep it from a node.
 */
export function selectNode(
  pod: Pod,
  nodes: NodeInfo[],
  storageMisfits: (info: NodeInfo) => readonly string[] = () => [],
): Decision {
  if (nodes.length === 0) return { message: 'no nodes available to schedule pods' };
  const unsupported = unsupportedConstraints(pod);
  if (unsupported.length > 0) {
    const fields = unsupported.join(', ');
    return { message: `this scheduler does not support ${fields}: remove it, or name another scheduler` };
  }
  const reasons: string[] = [];
  let best: { nodeName: string; preference: number; free: number } | undefined;
  for (const info of nodes) {
    const rules = misfits(pod, info);
    const misfit = rules.length > 0 ? rules : storageMisfits(info);
    reasons.push(...misfit);
    if (misfit.length > 0) continue;
    const candidate = {
      nodeName: info.node.metadata?.name ?? '',
      preference: nodePreference(pod, info.node),
      free: freeShare(pod, info),
    };
    const isBetter =
      !best ||
      candidate.preference > best.preference ||
      (candidate.preference === best.preference && candidate.free > best.free);
    if (isBetter) best = candidate;
  }
  return best ? { nodeName: best.nodeName } : { message: explain(nodes.length, reasons) };
}
