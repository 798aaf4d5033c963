import type { Pod, PodCondition } from '@wherry/kubeapi';
import { withCondition } from '../objects/conditions.ts';

/**
 * A pod's conditions with one of them as it is now: at its place, and since when it was so before if its status is the same (upstream:
 * podutil.UpdatePodCondition).
 */
export function withPodCondition(
  { status }: Pick<Pod, 'status'>,
  condition: Pick<PodCondition, 'type' | 'status' | 'reason' | 'message'>,
  nowText: string,
): PodCondition[] {
  const told = { ...condition, lastProbeTime: null, lastTransitionTime: nowText };
  return withCondition(status?.conditions, told as unknown as PodCondition);
}
