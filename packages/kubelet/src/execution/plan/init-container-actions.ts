import { ContainerState, type ContainerStatus } from '@wherry/cri';
import type { Container } from '@wherry/kubeapi';
import { isSidecar } from '@wherry/podrules';
import { newestContainer, type PodRecord } from '../../observation/pod-record.ts';
import type { AssignedPod } from '../../pod/assigned-pod.ts';
import type { PodContainer } from '../../pod/containers.ts';
import { restartsAfter, restartsAfterKill } from '../../pod/restart-policy.ts';
import { causeToKill, type KillCause, killMessage, unknownKill } from './container-kills.ts';
import type { PlanView } from './plan-view.ts';
import type { PodActions } from './pod-actions.ts';
import { containerResize, needsRestart, planResize } from './resize-actions.ts';

/** Whether a regular container exists that has not ended: initialization was then finished in this sandbox. */
function hasStartedRegularContainer(pod: AssignedPod, record: PodRecord): boolean {
  return pod.spec.containers.some(({ name }) => {
    const state = newestContainer(record, name)?.state;
    return state === ContainerState.CONTAINER_CREATED || state === ContainerState.CONTAINER_RUNNING;
  });
}

/** Whether an init container ended without success: also one of which a process was killed for memory. */
function initFailed({ state, exitCode, reason }: ContainerStatus): boolean {
  return state === ContainerState.CONTAINER_EXITED && (exitCode !== 0 || reason === 'OOMKilled');
}

/**
 * Adds what the pod's init containers need to `actions`. True when the regular containers may start. A pod whose init
 * container failed for good is marked to be killed.
 */
export function planInitContainers(view: PlanView): boolean {
  const { pod, record } = view;
  const containers = pod.spec.initContainers ?? [];
  if (containers.length === 0) return true;
  if (hasStartedRegularContainer(pod, record)) {
    for (const container of containers.filter(isSidecar)) {
      keepSidecar(view, container, newestContainer(record, container.name));
    }
    return true;
  }
  const reached = containers.findLastIndex(({ name }) => newestContainer(record, name) !== undefined);
  for (const container of containers.slice(0, Math.max(reached, 0)).filter(isSidecar)) {
    keepSidecar(view, container, newestContainer(record, container.name));
  }
  return advance(view, reached);
}

function advance(view: PlanView, reached: number): boolean {
  const { pod, record, actions } = view;
  const containers = pod.spec.initContainers ?? [];
  const current = containers[reached];
  const status = current && newestContainer(record, current.name);
  const done = !current || !status || isPassed({ ...view, container: current, status });
  if (actions.killPod || !done) return false;
  const next = containers[reached + 1];
  if (!next) return true;
  actions.start.push({ kind: 'init', container: next });
  return false;
}

interface InitContainerView extends PlanView {
  container: Container;
  status: ContainerStatus;
}

/** Whether the next init container may start; otherwise adds what the present one needs. */
function isPassed(view: InitContainerView): boolean {
  const { pod, container, status, actuated, actions } = view;
  if (isSidecar(container)) return keepSidecar(view, container, status);
  const target: PodContainer = { kind: 'init', container };
  switch (status.state) {
    case ContainerState.CONTAINER_RUNNING: {
      const resize = containerResize(pod, container, status, actuated);
      if (resize) planResize(resize, actions);
      return false;
    }
    case ContainerState.CONTAINER_CREATED:
      actions.start.push(target);
      return false;
    case ContainerState.CONTAINER_EXITED:
      if (!initFailed(status)) return true;
      return restartOrKill(view);
    default:
      if (!restartsAfterKill(pod, container)) return killPod(actions);
      actions.kill.push(unknownKill(target, status));
      actions.start.push(target);
      return false;
  }
}

function restartOrKill({ pod, container, status, actions }: InitContainerView): false {
  const policy = pod.spec.restartPolicy === 'Always' ? 'OnFailure' : pod.spec.restartPolicy;
  const onFailure = { ...pod, spec: { ...pod.spec, restartPolicy: policy ?? 'OnFailure' } };
  if (restartsAfter(onFailure, container, status.exitCode || 137)) {
    actions.start.push({ kind: 'init', container });
  } else killPod(actions);
  return false;
}

function killPod(actions: PodActions): false {
  actions.killPod = true;
  actions.start = [];
  actions.kill = [];
  return false;
}

/**
 * Keeps a sidecar up. True once it counts as started: what comes after it is then not held back by a restart, which
 * begins at the same time.
 */
function keepSidecar(view: PlanView, container: Container, status: ContainerStatus | undefined): boolean {
  const { pod, verdicts, actuated, actions } = view;
  const target: PodContainer = { kind: 'init', container };
  if (status?.state !== ContainerState.CONTAINER_RUNNING) {
    if (status?.state === ContainerState.CONTAINER_UNKNOWN) actions.kill.push(unknownKill(target, status));
    actions.start.push(target);
    return false;
  }
  const startAgain = (cause: KillCause) => {
    actions.kill.push({ containerId: status.id, target, cause, message: killMessage(target, cause, true) });
    actions.start.push(target);
  };
  const startup = container.startupProbe ? verdicts.startup(status.id) : 'success';
  if (startup !== 'success') {
    if (startup === 'failure') startAgain('startup');
    return false;
  }
  const resize = containerResize(pod, container, status, actuated);
  const cause =
    causeToKill(container, status, verdicts) ?? (resize && needsRestart(resize) ? 'resize' : undefined);
  if (cause === 'resize') actions.resize.wholePod = true;
  if (cause) startAgain(cause);
  else if (resize) planResize(resize, actions);
  return true;
}
