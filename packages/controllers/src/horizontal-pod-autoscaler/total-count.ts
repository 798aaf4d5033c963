/** How many replicas a total asks for that no single pod makes (upstream: replica_calculator.go). */
import type { Pod } from '@wherry/kubeapi/objects';
import { isPodReady } from '@wherry/podrules';
import { isWithin, replicasMax, type Tolerance } from './replica-count.ts';

/**
 * The replicas that bring a total to its target, both in thousandths, in the ratio of the two to the pods that are ready. Throws where
 * there are no pods.
 */
export function replicasByRatio(
  usage: bigint,
  target: bigint,
  scene: { current: number; pods: readonly Pod[]; tolerance: Tolerance },
): number {
  const { current, pods, tolerance } = scene;
  const ratio = Number(usage) / Number(target);
  if (isWithin(ratio, tolerance)) return current;
  if (pods.length === 0)
    throw new Error(
      'unable to calculate ready pods: no pods returned by selector while calculating replica count',
    );
  const ready = pods.filter((pod) => pod.status?.phase === 'Running' && isPodReady(pod));
  return Math.min(Math.ceil(ratio * ready.length), replicasMax);
}

/**
 * The replicas among which a total is as much for each as the target, and what it is now, all in thousandths. `present` counts those that
 * there are, ready or not; the average of none is the total.
 */
export function replicasByAverage(
  usage: bigint,
  target: bigint,
  { present, tolerance }: { present: number; tolerance: Tolerance },
): { replicas: number; average: bigint } {
  const share = Number(usage) / Number(target);
  const replicas = isWithin(share / present, tolerance) ? present : Math.min(Math.ceil(share), replicasMax);
  return { replicas, average: present === 0 ? usage : divideUp(usage, BigInt(present)) };
}

function divideUp(value: bigint, by: bigint): bigint {
  const quotient = value / by;
  return value > 0n && value % by !== 0n ? quotient + 1n : quotient;
}
