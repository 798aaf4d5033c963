import type { Container } from '@wherry/kubeapi';
import { qualityOfService } from '@wherry/podrules';
import { amountOf } from './amount.ts';
import { type AssignedPod, isCriticalPod } from './assigned-pod.ts';
import { containersOf } from './containers.ts';

/** What of its swap a node gives to containers. */
export interface SwapRules {
  /** Undefined where control groups can not be held to an amount of swap. */
  cgroupVersion: 'v1' | 'v2' | undefined;
  /** Containers may swap in proportion to what they ask for; on cgroup v2 alone, as upstream. */
  isLimited: boolean;
  nodeMemoryBytes: number;
  nodeSwapBytes: number;
}

/** Whether the container may swap at all (upstream: kuberuntime's GetContainerSwapBehavior). */
function maySwap(
  pod: AssignedPod,
  container: Container,
  { isLimited, cgroupVersion }: Pick<SwapRules, 'isLimited' | 'cgroupVersion'>,
): boolean {
  if (!isLimited || cgroupVersion !== 'v2' || isCriticalPod(pod)) return false;
  if (qualityOfService(pod) !== 'Burstable') return false;
  const { requests, limits } = container.resources ?? {};
  const limit = amountOf(limits?.['memory'] ?? '0');
  const request = requests?.['memory'] === undefined ? limit : amountOf(requests['memory']);
  return request !== limit;
}

/** Bytes that the container may swap: of the node's swap the part that it asks for of the node's memory. */
export function swapBytesOf(pod: AssignedPod, container: Container, rules: SwapRules): number {
  if (!maySwap(pod, container, rules)) return 0;
  const { nodeMemoryBytes, nodeSwapBytes } = rules;
  const request = amountOf(container.resources?.requests?.['memory'] ?? '0');
  if (nodeMemoryBytes <= 0 || request > nodeMemoryBytes) return 0;
  return Math.floor((request / nodeMemoryBytes) * nodeSwapBytes);
}

/**
 * Why a pod can not be given other resources while it runs: what a container may swap is not changed under it, but for one that
 * is started anew with them. Undefined where nothing speaks against it.
 */
export function swapObjection(
  wanted: AssignedPod,
  given: AssignedPod,
  rules: Pick<SwapRules, 'isLimited' | 'cgroupVersion'>,
): string | undefined {
  const before = new Map(containersOf(given).map(({ container }) => [container.name, container]));
  const swaps = containersOf(wanted).some(({ container }) => {
    const old = before.get(container.name);
    if (!old || requestOf(old) === requestOf(container) || isRestartedForMemory(old)) return false;
    return maySwap(wanted, container, rules) || maySwap(given, old, rules);
  });
  return swaps ? 'In-place resize of containers with swap is not supported.' : undefined;
}

const requestOf = ({ resources }: Container) => amountOf(resources?.requests?.['memory'] ?? '0');

const isRestartedForMemory = ({ resizePolicy = [] }: Container) =>
  resizePolicy.some(
    ({ resourceName, restartPolicy }) => resourceName === 'memory' && restartPolicy === 'RestartContainer',
  );
