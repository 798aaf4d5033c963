import type { Node, Pod } from '@wherry/kubeapi/objects';
import { type Amounts, amountsOf, type PodView, unitsOf } from './amounts.ts';
import { portsConflict } from './host-ports.ts';
import { matchesNodeAffinity } from './node-affinity.ts';
import { effectiveTaints } from './node-taints.ts';
import { amountsInForce } from './pod-resources.ts';
import { untolerated } from './tolerations.ts';

/** A node and the pods that count against it: those that are not finished. */
export interface NodeInfo {
  node: Node;
  pods: Pod[];
}

/** A resource of which a node has not enough left, in {@link unitsOf}. */
export interface Shortage {
  resource: string;
  requested: number;
  used: number;
  capacity: number;
}

const plainResources = ['cpu', 'memory', 'ephemeral-storage'];

/** Whether a resource is counted at all; upstream knows no others (pkg/scheduler/util IsScalarResourceName). */
function isCounted(name: string): boolean {
  return plainResources.includes(name) || /\/|^hugepages-|^attachable-volumes-/.test(name);
}

/** What the pods ask for together of each resource, in {@link unitsOf}. */
export function requestedUnits(pods: readonly PodView[]): Map<string, number> {
  const total = new Map<string, number>();
  for (const pod of pods)
    for (const [name, units] of podUnits(pod)) total.set(name, (total.get(name) ?? 0) + units);
  return total;
}

const known = new WeakMap<PodView, ReadonlyMap<string, number>>();

function podUnits(pod: PodView): ReadonlyMap<string, number> {
  const cached = known.get(pod);
  if (cached) return cached;
  const amounts = [...amountsInForce(pod)];
  const units = new Map(amounts.map(([name, amount]) => [name, unitsOf(name, amount)]));
  known.set(pod, units);
  return units;
}

/** Of what the node has too little for one more pod: `pods` first (noderesources.Fits). */
export function shortages(
  pod: PodView,
  { pods, allocatable }: { pods: readonly PodView[]; allocatable: Amounts },
): Shortage[] {
  const units = (name: string) => {
    const amount = allocatable.get(name);
    return amount ? unitsOf(name, amount) : 0;
  };
  const used = requestedUnits(pods);
  const wanted = [...requestedUnits([pod])]
    .filter(([name, requested]) => requested > 0 && isCounted(name))
    .map(([resource, requested]) => ({ resource, requested, used: used.get(resource) ?? 0 }));
  return [{ resource: 'pods', requested: 1, used: pods.length }, ...wanted]
    .map((each) => ({ ...each, capacity: units(each.resource) }))
    .filter(({ requested, used, capacity }) => requested > capacity - used);
}

/**
 * Why the pod does not fit the node, in words that users of kube-scheduler know; empty when it fits. Pod affinity,
 * topology spread and volumes are not looked at.
 */
export function misfits(pod: PodView, { node, pods }: NodeInfo): string[] {
  const taint = untolerated(effectiveTaints(node), pod.spec?.tolerations, ['NoSchedule', 'NoExecute']);
  if (taint) return [`node(s) had untolerated taint {${taint.key}: ${taint.value ?? ''}}`];
  if (!matchesNodeAffinity(pod, node)) return ["node(s) didn't match Pod's node affinity/selector"];
  if (portsConflict(pod, pods)) return ["node(s) didn't have free ports for the requested pod ports"];
  const allocatable = amountsOf(node.status?.allocatable);
  return shortages(pod, { pods, allocatable }).map(({ resource }) =>
    resource === 'pods' ? 'Too many pods' : `Insufficient ${resource}`,
  );
}
