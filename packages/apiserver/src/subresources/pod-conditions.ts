import type { Pod, PodCondition } from '@wherry/kubeapi';

/**
 * A pod's conditions with one of them as it is now: at its place, and since when it was so before if its status is the same (upstream:
 * podutil.UpdatePodCondition).
 */
export function withPodCondition(
  { status }: Pick<Pod, 'status'>,
  condition: Pick<PodCondition, 'type' | 'status' | 'reason' | 'message'>,
  nowText: string,
): PodCondition[] {
  const conditions = [...(status?.conditions ?? [])];
  const index = conditions.findIndex(({ type }) => type === condition.type);
  const before = conditions[index];
  const since = before?.status === condition.status ? before.lastTransitionTime : nowText;
  const told = {
    ...condition,
    lastProbeTime: null,
    lastTransitionTime: since ?? null,
  } as unknown as PodCondition;
  conditions.splice(index < 0 ? conditions.length : index, 1, told);
  return conditions;
}
