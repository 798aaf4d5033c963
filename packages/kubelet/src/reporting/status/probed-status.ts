import type { ContainerStatus, PodStatus } from '@wherry/kubeapi';
import type { AssignedPod } from '../../pod/assigned-pod.ts';
import { readinessConditions, stampConditions } from './conditions.ts';

/** What a probe changed of a container's status. */
export type ProbedPart = Pick<ContainerStatus, 'ready'> | Pick<ContainerStatus, 'started'>;

/** What a probe said of which container. */
export interface ProbedContainer {
  containerId: string;
  part: ProbedPart;
}

/**
 * `status` with what a probe said of one container, and the pod's readiness after it; undefined when that changes nothing. `pod`
 * has the readiness gates as they are at the API server.
 */
export function withProbed(
  status: PodStatus,
  { containerId, part }: ProbedContainer,
  { pod, now }: { pod: AssignedPod; now: string },
): PodStatus | undefined {
  let hasChanged = false;
  const probed = (all: readonly ContainerStatus[] | undefined) =>
    all?.map((one) => {
      if (!one.state?.running || !one.containerID?.endsWith(`://${containerId}`) || isSaid(one, part))
        return one;
      hasChanged = true;
      return { ...one, ...part };
    });
  const [statuses, initStatuses] = [probed(status.containerStatuses), probed(status.initContainerStatuses)];
  if (!hasChanged) return undefined;
  const before = status.conditions ?? [];
  const verdicts = readinessConditions({
    ...{ pod, phase: status.phase ?? '', previous: pod.status?.conditions ?? [] },
    ...{ initStatuses: initStatuses ?? [], statuses: statuses ?? [] },
  });
  const stamped = stampConditions(verdicts, before, { now, generation: pod.metadata.generation });
  return {
    ...status,
    conditions: before.map((condition) => stamped.find(({ type }) => type === condition.type) ?? condition),
    ...(statuses ? { containerStatuses: statuses } : {}),
    ...(initStatuses ? { initContainerStatuses: initStatuses } : {}),
  };
}

const isSaid = ({ ready, started }: ContainerStatus, part: ProbedPart): boolean =>
  'ready' in part ? ready === part.ready : started === part.started;
