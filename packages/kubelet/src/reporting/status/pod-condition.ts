import type { PodStatus } from '@wherry/kubeapi';

/** Whether a status says that a condition is so. */
export function isConditionTrue(status: PodStatus | undefined, type: string): boolean {
  return (status?.conditions ?? []).some(
    (condition) => condition.type === type && condition.status === 'True',
  );
}
