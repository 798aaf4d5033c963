import { ContainerState } from '@wherry/cri';
import type { PodStatus } from '@wherry/kubeapi';
import { newestContainer, type PodRecord } from '../../observation/pod-record.ts';
import type { AssignedPod } from '../../pod/assigned-pod.ts';
import { restartsAll } from '../../pod/restart-policy.ts';
import { isConditionTrue } from './pod-condition.ts';

/** What is told of a pod that begins anew in its sandbox, because the end of one of its containers wants that. */
export const wholeRestart = {
  condition: 'AllContainersRestarting',
  /** Of containers that were removed for it. */
  reason: 'RestartingAllContainers',
  message: 'The container is removed because RestartAllContainers in place',
} as const;

/** How far it is: not begun, containers are being removed, or none is left. */
export type WholeRestart = 'none' | 'removing' | 'removed';

const containersThatCount = ({ spec: { initContainers = [], containers } }: AssignedPod) => [
  ...initContainers,
  ...containers,
];

/** Whether that can happen to the pod at all. */
export function mayRestartWhole(pod: AssignedPod): boolean {
  return containersThatCount(pod).some(({ restartPolicyRules = [] }) =>
    restartPolicyRules.some(({ action }) => action === 'RestartAllContainers'),
  );
}

/**
 * Whether the pod begins anew: what was told of it before counts until all its containers are gone (upstream's
 * ShouldAllContainersRestart and AllContainersRestartCleanedUp).
 */
export function wholeRestartOf(
  pod: AssignedPod,
  record: PodRecord,
  previous: PodStatus | undefined,
): WholeRestart {
  if (!mayRestartWhole(pod)) return 'none';
  const all = containersThatCount(pod);
  const isWanted = all.some((container) => {
    const newest = newestContainer(record, container.name);
    return newest?.state === ContainerState.CONTAINER_EXITED && restartsAll(container, newest.exitCode);
  });
  if (!isWanted && !isRestartingWhole(previous)) return 'none';
  return all.some(({ name }) => newestContainer(record, name)) ? 'removing' : 'removed';
}

/** Whether a status says that containers are being removed for it. */
export function isRestartingWhole(status: PodStatus | undefined): boolean {
  return isConditionTrue(status, wholeRestart.condition);
}
