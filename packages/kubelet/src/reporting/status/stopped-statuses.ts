import type { ContainerStatus, PodStatus } from '@wherry/kubeapi';
import { isSidecar } from '@wherry/podrules';
import type { AssignedPod } from '../../pod/assigned-pod.ts';

/** The lists of a pod's status that tell of its containers. */
export type ContainerLists = Pick<
  PodStatus,
  'containerStatuses' | 'initContainerStatuses' | 'ephemeralContainerStatuses'
>;

/**
 * `lists` of a pod that has stopped for good: what became of a container that still waits is then not known, unless
 * nothing tells that its turn had come. Containers behind an init container that did not succeed stay waiting
 * (upstream's TerminatePod in pkg/kubelet/status/status_manager.go).
 */
export function stoppedStatuses(
  pod: AssignedPod,
  lists: ContainerLists,
  previous: PodStatus | undefined,
): ContainerLists {
  const { containerStatuses = [], initContainerStatuses, ephemeralContainerStatuses } = lists;
  const isInitialized = [lists, previous ?? {}].some((known) => tellsOfInitialization(pod, known));
  const begun = initContainerStatuses ? countBegun(initContainerStatuses) : 0;
  return {
    containerStatuses: isInitialized ? containerStatuses.map(ended) : containerStatuses,
    ...(initContainerStatuses && {
      initContainerStatuses: initContainerStatuses.map((status, at) => (at < begun ? ended(status) : status)),
    }),
    ...(ephemeralContainerStatuses && { ephemeralContainerStatuses: ephemeralContainerStatuses.map(ended) }),
  };
}

/** Whether regular containers may have been started, as far as a status tells. */
function tellsOfInitialization({ spec }: AssignedPod, lists: ContainerLists): boolean {
  const last = spec.initContainers?.at(-1);
  if (!last) return true;
  if (lists.containerStatuses?.some(hasBegun)) return true;
  const status = lists.initContainerStatuses?.find(({ name }) => name === last.name);
  if (isSidecar(last)) return Boolean(status?.state?.running && status.started);
  return [status?.state, status?.lastState].some((state) => state?.terminated?.exitCode === 0);
}

/** How many init containers were begun with; the first one always counts. */
function countBegun(statuses: readonly ContainerStatus[]): number {
  return Math.max(1, statuses.findLastIndex(hasBegun) + 1);
}

function hasBegun({ state, lastState }: ContainerStatus): boolean {
  return Boolean(state?.running || state?.terminated || lastState?.terminated);
}

function ended(status: ContainerStatus): ContainerStatus {
  if (status.state?.terminated || status.state?.running) return status;
  const terminated = {
    exitCode: 137,
    reason: 'ContainerStatusUnknown',
    message: 'The container could not be located when the pod was terminated',
  };
  return { ...status, state: { terminated }, ready: false, ...(status.started && { started: false }) };
}
