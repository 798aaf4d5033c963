import { ContainerState, type ContainerStatus } from '@wherry/cri';
import type { Container } from '@wherry/kubeapi';
import { isSidecar } from '@wherry/podrules';
import type { AssignedPod } from '../pod/assigned-pod.ts';
import { containerHash } from '../pod/container-hash.ts';
import type { PodContainer } from '../pod/containers.ts';
import { planInitContainers } from './init-container-actions.ts';
import { containerAnnotations } from './labels.ts';
import { newestContainer, type PodRecord } from './pod-record.ts';
import { restartsAfter, restartsAfterKill, shouldStart } from './restart-policy.ts';
import { sandboxChange } from './sandbox-change.ts';

/** What a probe last said about a container; undefined before it said anything. */
export type Verdict = 'success' | 'failure' | 'unknown' | undefined;

/** The probes' last words, by container ID. */
export interface ProbeVerdicts {
  liveness(containerId: string): Verdict;
  startup(containerId: string): Verdict;
}

/** Why a container is killed while its pod lives on. */
export type KillCause = 'liveness' | 'startup' | 'changed' | 'unknown';

/** One container to kill. */
export interface ContainerKill {
  containerId: string;
  target: PodContainer;
  cause: KillCause;
  /** Text of the `Killing` event. */
  message: string;
}

/** What has to be done to bring a pod's containers to what its spec says. */
export interface PodActions {
  /** Stop every container and the sandbox. */
  killPod: boolean;
  /** Make a new sandbox (after {@link killPod}). */
  createSandbox: boolean;
  /** Say `SandboxChanged`. */
  announceSandbox: boolean;
  /** The present sandbox; '' when there is none. */
  sandboxId: string;
  /** Attempt number for the sandbox to create. */
  attempt: number;
  kill: ContainerKill[];
  /** Containers to start, in this order: ephemeral, init, regular. */
  start: PodContainer[];
}

/** Whether nothing is to be done. */
export function isIdle(actions: PodActions): boolean {
  return (
    !actions.killPod && !actions.createSandbox && actions.kill.length === 0 && actions.start.length === 0
  );
}

/**
 * Compares what a pod should be with what the runtime says it is. It decides and does nothing; crash back-off is
 * looked at when a container is about to start.
 */
export function computePodActions(pod: AssignedPod, record: PodRecord, verdicts: ProbeVerdicts): PodActions {
  const sandbox = sandboxChange(pod, record);
  const actions: PodActions = {
    killPod: sandbox.changed,
    createSandbox: sandbox.changed,
    announceSandbox: sandbox.announced,
    sandboxId: sandbox.sandboxId,
    attempt: sandbox.attempt,
    kill: [],
    start: [],
  };
  if (sandbox.changed) return planNewSandbox(pod, record, actions);
  const ephemeral = (pod.spec.ephemeralContainers ?? []).filter(({ name }) => !newestContainer(record, name));
  for (const container of ephemeral) {
    const { targetContainerName } = container;
    actions.start.push({ kind: 'ephemeral', container: container as Container, targetContainerName });
  }
  const initialized = planInitContainers(pod, record, verdicts, actions);
  if (actions.killPod || !initialized) return actions;
  planRegularContainers(pod, record, verdicts, actions);
  return actions;
}

function planNewSandbox(pod: AssignedPod, record: PodRecord, actions: PodActions): PodActions {
  const nothing = { ...actions, createSandbox: false };
  if (pod.spec.restartPolicy === 'Never' && actions.attempt !== 0 && record.containers.length > 0)
    return nothing;
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

function planRegularContainers(
  pod: AssignedPod,
  record: PodRecord,
  verdicts: ProbeVerdicts,
  actions: PodActions,
): void {
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
    const cause = causeToKill(container, status, verdicts);
    if (!cause) {
      kept += 1;
      continue;
    }
    const restart = cause === 'changed' || restartsAfterKill(pod, container);
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
}

/** Why a running container can't stay, if so. */
export function causeToKill(
  container: Container,
  status: ContainerStatus,
  verdicts: ProbeVerdicts,
): KillCause | undefined {
  const stamped = status.annotations[containerAnnotations.hash];
  if (stamped !== undefined && stamped !== containerHash(container)) return 'changed';
  if (container.livenessProbe && verdicts.liveness(status.id) === 'failure') return 'liveness';
  if (container.startupProbe && verdicts.startup(status.id) === 'failure') return 'startup';
  return undefined;
}

/** The kill of a container whose state the runtime does not know. */
export function unknownKill(target: PodContainer, status: ContainerStatus): ContainerKill {
  const { name } = target.container;
  const message = `Container ${name} is in unknown state, try killing it before restart`;
  return { containerId: status.id, target, cause: 'unknown', message };
}

/** Text of the `Killing` event, as upstream words it. */
export function killMessage(target: PodContainer, cause: KillCause, restart: boolean): string {
  const subject = `${target.kind === 'init' ? 'Init container' : 'Container'} ${target.container.name}`;
  if (cause === 'changed') return `${subject} definition changed, will be restarted`;
  if (cause === 'unknown') return `${subject} is in unknown state, try killing it before restart`;
  return `${subject} failed ${cause} probe${restart || isSidecar(target.container) ? ', will be restarted' : ''}`;
}
