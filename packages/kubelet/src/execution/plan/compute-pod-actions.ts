import { ContainerState } from '@wherry/cri';
import type { Container } from '@wherry/kubeapi';
import { newestContainer, type PodRecord } from '../../observation/pod-record.ts';
import { sandboxChange } from '../../observation/sandbox-change.ts';
import type { Allocation } from '../../pod/allocation.ts';
import type { AssignedPod } from '../../pod/assigned-pod.ts';
import type { PodContainer } from '../../pod/containers.ts';
import { restartsAfter, restartsAfterKill, shouldStart } from '../../pod/restart-policy.ts';
import { causeToKill, killMessage, unknownKill } from './container-kills.ts';
import { planInitContainers } from './init-container-actions.ts';
import type { PlanView } from './plan-view.ts';
import type { PodActions } from './pod-actions.ts';
import type { ProbeVerdicts } from './probe-verdicts.ts';
import { containerResize, isPodResized, needsRestart, planResize } from './resize-actions.ts';
import { planWholeRestart } from './whole-restart-actions.ts';

/**
 * Compares what a pod should be with what the runtime says it is. It decides and does nothing; crash back-off is
 * looked at when a container is about to start.
 */
export function computePodActions(
  pod: AssignedPod,
  record: PodRecord,
  verdicts: ProbeVerdicts,
  actuated?: Allocation,
  { isRestartingWhole = false }: { isRestartingWhole?: boolean } = {},
): PodActions {
  const sandbox = sandboxChange(pod, record);
  const actions: PodActions = {
    killPod: sandbox.changed,
    createSandbox: sandbox.changed,
    announceSandbox: sandbox.announced,
    sandboxId: sandbox.sandboxId,
    attempt: sandbox.attempt,
    kill: [],
    start: [],
    reset: [],
    resize: { memory: [], cpu: [], wholePod: false },
  };
  // A new sandbox comes first: what is in the old one is stopped with it.
  if (isRestartingWhole)
    return sandbox.changed ? actions : { ...actions, reset: planWholeRestart(pod, record) };
  if (sandbox.changed) return planNewSandbox(pod, record, actions);
  const ephemeral = (pod.spec.ephemeralContainers ?? []).filter(
    ({ name }) => !newestContainer(record, name) && !hasToldEnd(pod, name),
  );
  for (const container of ephemeral) {
    const { targetContainerName } = container;
    actions.start.push({ kind: 'ephemeral', container: container as Container, targetContainerName });
  }
  const view = { pod, record, verdicts, actuated, actions };
  const initialized = planInitContainers(view);
  if (actions.killPod) return actions;
  if (initialized) planRegularContainers(view);
  if (!actions.killPod && isPodResized(pod, actuated)) actions.resize.wholePod = true;
  return actions;
}

/** The API server takes no other state of an ephemeral container after its end, whatever the runtime has forgotten. */
const hasToldEnd = ({ status }: AssignedPod, ephemeral: string): boolean =>
  status?.ephemeralContainerStatuses?.some(
    ({ name, state }) => name === ephemeral && state?.terminated !== undefined,
  ) ?? false;

function planNewSandbox(pod: AssignedPod, record: PodRecord, actions: PodActions): PodActions {
  const nothing = { ...actions, createSandbox: false };
  // One that was made, and never started before its sandbox ended, has not run yet.
  const hasRun = record.containers.some(({ state }) => state !== ContainerState.CONTAINER_CREATED);
  if (pod.spec.restartPolicy === 'Never' && actions.attempt !== 0 && hasRun) return nothing;
  const wanted = pod.spec.containers.filter((container) => {
    const status = newestContainer(record, container.name);
    return (
      status?.state !== ContainerState.CONTAINER_EXITED || restartsAfter(pod, container, status.exitCode)
    );
  });
  if (wanted.length === 0) return nothing;
  const [firstInit] = pod.spec.initContainers ?? [];
  if (firstInit) actions.start.push({ kind: 'init', container: firstInit });
  else actions.start.push(...wanted.map((container) => ({ kind: 'regular' as const, container })));
  return actions;
}

function planRegularContainers({ pod, record, verdicts, actuated, actions }: PlanView): void {
  let kept = 0;
  let started = 0;
  for (const container of pod.spec.containers) {
    const target: PodContainer = { kind: 'regular', container };
    const status = newestContainer(record, container.name);
    if (status?.state !== ContainerState.CONTAINER_RUNNING) {
      if (!shouldStart(pod, container, status)) continue;
      if (status?.state === ContainerState.CONTAINER_UNKNOWN) actions.kill.push(unknownKill(target, status));
      actions.start.push(target);
      started += 1;
      continue;
    }
    const resize = containerResize(pod, container, status, actuated);
    const cause =
      causeToKill(container, status, verdicts) ?? (resize && needsRestart(resize) ? 'resize' : undefined);
    if (!cause) {
      if (resize) planResize(resize, actions);
      kept += 1;
      continue;
    }
    if (cause === 'resize') actions.resize.wholePod = true;
    const restart = cause === 'changed' || cause === 'resize' || restartsAfterKill(pod, container);
    actions.kill.push({
      containerId: status.id,
      target,
      cause,
      message: killMessage(target, cause, restart),
    });
    if (!restart) continue;
    actions.start.push(target);
    started += 1;
  }
  if (kept > 0 || started > 0) return;
  actions.killPod = true;
  actions.start = [];
  actions.kill = [];
  actions.resize = { memory: [], cpu: [], wholePod: false };
}
