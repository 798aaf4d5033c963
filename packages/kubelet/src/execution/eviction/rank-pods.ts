import { podAmount } from '@wherry/podrules';
import type { AssignedPod } from '../../pod/assigned-pod.ts';
import { type PodUsage, type StoragePart, storageOf } from './pod-usage.ts';

/** What a node can be short of, as upstream's messages and events call it. */
export type StarvedResource = 'memory' | 'ephemeral-storage' | 'inodes' | 'pids';

/** What the order looks at. */
export interface RankFacts {
  resource: StarvedResource;
  usageOf(uid: string): PodUsage | undefined;
  /** What of a pod lies on the file system that is short. */
  parts: readonly StoragePart[];
}

type Order = (a: AssignedPod, b: AssignedPod) => number;

/**
 * The pods in the order in which they go: for memory and disk first those that take more than they asked for, then by
 * priority, lower first, then by how much more they take; for processes by priority and number. Of two pods the one of
 * which nothing is known goes first (pkg/kubelet/eviction/helpers.go, rankMemoryPressure and its siblings).
 */
export function rankPods(pods: readonly AssignedPod[], facts: RankFacts): AssignedPod[] {
  const known: Order = (a, b) => Number(isKnown(a, facts)) - Number(isKnown(b, facts));
  const priority: Order = (a, b) => (a.spec.priority ?? 0) - (b.spec.priority ?? 0);
  const excess: Order = (a, b) => excessOf(b, facts) - excessOf(a, facts);
  const exceeds: Order = (a, b) => Number(excessOf(b, facts) > 0) - Number(excessOf(a, facts) > 0);
  const orders = facts.resource === 'pids' ? [priority, known, excess] : [known, exceeds, priority, excess];
  return [...pods].sort((a, b) => {
    for (const order of orders) {
      const difference = order(a, b);
      if (difference !== 0) return difference;
    }
    return 0;
  });
}

const isKnown = ({ metadata }: AssignedPod, { usageOf }: RankFacts) => usageOf(metadata.uid) !== undefined;

/** How much more the pod takes than it asked for; nobody can ask for inodes and processes. */
function excessOf(pod: AssignedPod, { resource, usageOf, parts }: RankFacts): number {
  const usage = usageOf(pod.metadata.uid);
  if (!usage) return 0;
  if (resource === 'pids') return usage.processes;
  if (resource === 'inodes') return storageOf(usage, parts).inodes;
  const taken = resource === 'memory' ? usage.memoryBytes : storageOf(usage, parts).bytes;
  return taken - podAmount(pod, 'requests', resource).toNumber();
}
