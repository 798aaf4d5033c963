import { ContainerState, type ContainerStatus } from '@wherry/cri';
import type { Container } from '@wherry/kubeapi';
import { newestContainer, type PodRecord } from '../../observation/pod-record.ts';
import type { Allocation } from '../../pod/allocation.ts';
import type { AssignedPod } from '../../pod/assigned-pod.ts';
import { amountsIn, containerAmounts, isSameAmounts, type Resizable } from '../../pod/container-amounts.ts';
import type { ContainerResize, PodActions } from './pod-actions.ts';

const resizable: readonly Resizable[] = ['memory', 'cpu'];

/** The resize of a running container; undefined where it has what it is to have, or nobody knows what it has. */
export function containerResize(
  pod: AssignedPod,
  container: Container,
  status: ContainerStatus,
  actuated: Allocation | undefined,
): ContainerResize | undefined {
  const made = actuated?.containers.get(container.name);
  if (!made || status.state !== ContainerState.CONTAINER_RUNNING) return undefined;
  const [desired, current] = [containerAmounts(pod, container), amountsIn(made)];
  return isSameAmounts(desired, current)
    ? undefined
    : { containerId: status.id, container, desired, current };
}

/** Whether the container has to be started anew to get its resources. */
export function needsRestart({ container, desired, current }: ContainerResize): boolean {
  return (container.resizePolicy ?? []).some(
    ({ resourceName, restartPolicy }) =>
      restartPolicy === 'RestartContainer' &&
      (resourceName === 'cpu' || resourceName === 'memory') &&
      !isSameAmounts(desired, current, [resourceName]),
  );
}

/** Adds a resize without a restart to the plan: shrinking ones first, the newest in front, as upstream. */
export function planResize(resize: ContainerResize, actions: PodActions): void {
  const { desired, current } = resize;
  for (const name of resizable) {
    if (isSameAmounts(desired, current, [name])) continue;
    const isLimit = desired[`${name}Limit`] !== current[`${name}Limit`];
    const key = isLimit ? (`${name}Limit` as const) : (`${name}Request` as const);
    if (desired[key] < current[key]) actions.resize[name].unshift(resize);
    else actions.resize[name].push(resize);
  }
}

/** Whether what the pod declares as a whole is not in force yet. */
export function isPodResized(pod: AssignedPod, actuated: Allocation | undefined): boolean {
  if (!actuated || !pod.spec.resources) return false;
  return !isSameAmounts(amountsIn(pod.spec.resources), amountsIn(actuated.pod ?? {}));
}

/** Whether anything that runs has other resources than were granted. */
export function isResizing(pod: AssignedPod, record: PodRecord, actuated: Allocation | undefined): boolean {
  const containers = [...(pod.spec.initContainers ?? []), ...pod.spec.containers];
  return (
    isPodResized(pod, actuated) ||
    containers.some((container) => {
      const status = newestContainer(record, container.name);
      return status !== undefined && containerResize(pod, container, status, actuated) !== undefined;
    })
  );
}
