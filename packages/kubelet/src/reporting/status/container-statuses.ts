import { ContainerState as CriState, type ContainerStatus as CriStatus } from '@wherry/cri';
import type { Container, ContainerState, ContainerStatus, VolumeMount } from '@wherry/kubeapi';
import { isSidecar } from '@wherry/podrules';
import {
  containerNameOf,
  millisecondsOf,
  newestContainer,
  type PodRecord,
} from '../../observation/pod-record.ts';
import type { AssignedPod } from '../../pod/assigned-pod.ts';
import type { PodContainer } from '../../pod/containers.ts';
import { restartCountOf } from '../../pod/labels.ts';
import { shouldStart } from '../../pod/restart-policy.ts';
import { resourcesInForce } from './container-resources.ts';
import { wholeRestart } from './whole-restart.ts';

/** Why a container that should run does not: the last failure to start it. */
export interface WaitingReason {
  reason: string;
  message: string;
}

/** What container statuses are computed from, besides the pod and the runtime's records. */
export interface ContainerStatusContext {
  pod: AssignedPod;
  record: PodRecord;
  /** Statuses as last written, any kind. */
  previous: readonly ContainerStatus[];
  /** All containers are removed for the pod to begin anew, or were just now. */
  isRestartingWhole?: boolean;
  /** The runtime's name, as it stands in front of container IDs. */
  runtimeName: string;
  /** Whether the runtime makes mounts read-only all the way down. Default: no. */
  supportsRecursiveReadOnly?: boolean;
  waitingReason(containerName: string): WaitingReason | undefined;
  /** Whether the container with this ID passed its startup probe, and its readiness probe. */
  isStarted(container: Container, containerId: string): boolean;
  isReady(container: Container, containerId: string): boolean;
}

/** Seconds-exact time, as the API has it. */
export function apiTime(epochMs: number): string {
  return new Date(epochMs).toISOString().replace(/\.\d{3}Z$/, 'Z');
}

/** The status of one container of the pod. */
export function containerStatus(context: ContainerStatusContext, target: PodContainer): ContainerStatus {
  const { record } = context;
  const { container } = target;
  const previous = context.previous.find(({ name }) => name === container.name);
  const records = record.containers.filter((status) => containerNameOf(status) === container.name);
  const [newest, older] = records;
  const status = newest
    ? fromRecord(context, { target, newest, older, previous })
    : withoutRecord(context, container, previous);
  if (!newest && !context.isRestartingWhole && isPassedInit(context, target, status))
    return passedInit(status);
  return asKind(target, withWaitingReason(context, target, status, newest));
}

/** Ephemeral containers have no probes: they are never told to be ready or started, as upstream. */
function asKind({ kind }: PodContainer, status: ContainerStatus): ContainerStatus {
  if (kind !== 'ephemeral') return status;
  const { started: _started, ...others } = status;
  return { ...others, ready: false };
}

interface RecordView {
  target: PodContainer;
  newest: CriStatus;
  older: CriStatus | undefined;
  previous: ContainerStatus | undefined;
}

function fromRecord(context: ContainerStatusContext, view: RecordView): ContainerStatus {
  const { target, newest, older, previous } = view;
  const { container } = target;
  const containerID = `${context.runtimeName}://${newest.id}`;
  const state = stateOf(context, newest, previous);
  const isRunning = state.running !== undefined;
  const restartCount = Math.max(
    restartCountOf(newest.annotations),
    leastRestarts(newest, containerID, previous),
  );
  const started = isRunning && context.isStarted(container, newest.id);
  const isPlainInit = target.kind === 'init' && !isSidecar(container);
  return {
    name: container.name,
    state,
    lastState: lastStateOf(context, older, previous, containerID),
    ready: isPlainInit ? state.terminated?.exitCode === 0 : started && context.isReady(container, newest.id),
    restartCount,
    image: newest.image?.image || newest.image?.userSpecifiedImage || container.image || '',
    imageID: newest.imageRef,
    containerID,
    started: isPlainInit ? isRunning : started,
    ...resourcesInForce(container, newest),
    ...volumeMountStatuses(container, ({ mountPath }) => isMountedRecursively(newest, mountPath)),
    ...userOf(newest),
  };
}

/**
 * How often it was started anew at least, by what was told of it before: its end, when it runs now under another ID, and a
 * state that the runtime lost count once more, whatever the record has.
 */
function leastRestarts(
  { state }: CriStatus,
  containerID: string,
  previous: ContainerStatus | undefined,
): number {
  if (!previous) return 0;
  const isLost = state === CriState.CONTAINER_UNKNOWN && previous.state?.running !== undefined;
  const isBack =
    state === CriState.CONTAINER_RUNNING &&
    previous.state?.terminated !== undefined &&
    previous.containerID !== containerID;
  return previous.restartCount + (isLost || isBack ? 1 : 0);
}

function userOf({ user }: CriStatus): Pick<ContainerStatus, 'user'> {
  if (!user?.linux) return {};
  const { uid, gid, supplementalGroups } = user.linux;
  return { user: { linux: { uid, gid, supplementalGroups } } };
}

/** What the runtime says of each mount counts: it is the one that made it read-only all the way down, or not. */
function isMountedRecursively({ mounts }: CriStatus, mountPath: string): boolean {
  return mounts.some((mount) => mount.containerPath === mountPath && mount.recursiveReadOnly);
}

/** What will come of a mount that is not made yet; what can not be had keeps its container from starting. */
function isRecursionPlanned({ recursiveReadOnly, mountPropagation }: VolumeMount): boolean {
  const isAsked = recursiveReadOnly === 'Enabled' || recursiveReadOnly === 'IfPossible';
  return isAsked && (mountPropagation ?? 'None') === 'None';
}

function volumeMountStatuses(
  { volumeMounts = [] }: Container,
  isRecursive: (mount: VolumeMount) => boolean,
): Pick<ContainerStatus, 'volumeMounts'> {
  if (volumeMounts.length === 0) return {};
  return {
    volumeMounts: volumeMounts.map((mount) => {
      const { name, mountPath, readOnly } = mount;
      const recursiveReadOnly = readOnly && isRecursive(mount) ? 'Enabled' : 'Disabled';
      return { name, mountPath, ...(readOnly ? { readOnly, recursiveReadOnly } : {}) };
    }),
  };
}

function stateOf(
  context: ContainerStatusContext,
  status: CriStatus,
  previous: ContainerStatus | undefined,
): ContainerState {
  switch (status.state) {
    case CriState.CONTAINER_RUNNING:
      return { running: { startedAt: apiTime(millisecondsOf(status.startedAt)) } };
    case CriState.CONTAINER_EXITED:
      return { terminated: terminatedOf(context, status) };
    case CriState.CONTAINER_CREATED:
      return { waiting: { reason: waitingDefault(context.pod) } };
    default:
      return lostState(context, status, previous);
  }
}

/** The runtime has a record of it and can't tell whether it runs: one that ran counts as ended, another as never begun. */
function lostState(
  { runtimeName, isRestartingWhole }: ContainerStatusContext,
  { id }: CriStatus,
  previous: ContainerStatus | undefined,
): ContainerState {
  const { running, terminated } = previous?.state ?? {};
  if (terminated && previous?.containerID === `${runtimeName}://${id}`) return { terminated };
  if (!running) return { waiting: {} };
  return {
    terminated: {
      exitCode: 137,
      reason: isRestartingWhole ? wholeRestart.reason : 'ContainerStatusUnknown',
      message: 'The container could not be located when the pod was terminated',
    },
  };
}

function terminatedOf(context: ContainerStatusContext, status: CriStatus) {
  return {
    exitCode: status.exitCode,
    ...(status.reason ? { reason: status.reason } : {}),
    ...(status.message ? { message: status.message } : {}),
    ...(status.startedAt > 0n ? { startedAt: apiTime(millisecondsOf(status.startedAt)) } : {}),
    ...(status.finishedAt > 0n ? { finishedAt: apiTime(millisecondsOf(status.finishedAt)) } : {}),
    containerID: `${context.runtimeName}://${status.id}`,
  };
}

function lastStateOf(
  context: ContainerStatusContext,
  older: CriStatus | undefined,
  previous: ContainerStatus | undefined,
  containerID: string,
): ContainerState {
  if (older?.state === CriState.CONTAINER_EXITED) return { terminated: terminatedOf(context, older) };
  const before = previous?.state?.terminated;
  if (before && before.containerID !== containerID) return { terminated: before };
  return previous?.lastState?.terminated ? { terminated: previous.lastState.terminated } : {};
}

function waitingDefault(pod: AssignedPod): string {
  return pod.spec.initContainers?.length ? 'PodInitializing' : 'ContainerCreating';
}

/** The status of a container that the runtime has no record of: not made yet, or its record is gone. */
function withoutRecord(
  { pod, supportsRecursiveReadOnly = false, isRestartingWhole = false }: ContainerStatusContext,
  container: Container,
  previous: ContainerStatus | undefined,
): ContainerStatus {
  const base: ContainerStatus = {
    name: container.name,
    state: { waiting: { reason: waitingDefault(pod) } },
    lastState: {},
    ready: false,
    restartCount: previous?.restartCount ?? 0,
    image: container.image ?? '',
    imageID: '',
    started: false,
    ...volumeMountStatuses(container, (mount) => supportsRecursiveReadOnly && isRecursionPlanned(mount)),
  };
  if (!previous) return base;
  if (isRestartingWhole && !previous.state?.waiting) return removed(base);
  if (previous.state?.terminated) {
    const isDone = previous.state.terminated.exitCode === 0;
    return { ...previous, ready: isDone && previous.ready, started: false };
  }
  if (!previous.state?.running) return { ...base, lastState: previous.lastState ?? {} };
  const terminated = {
    exitCode: 137,
    reason: 'ContainerStatusUnknown',
    message: 'The container could not be located when the pod was deleted.  The container used to be Running',
  };
  // What is known of an end before says more than that this one was not seen.
  if (previous.lastState?.terminated) return { ...base, lastState: previous.lastState };
  const restarts = pod.metadata.deletionTimestamp ? 0 : 1;
  return { ...base, lastState: { terminated }, restartCount: base.restartCount + restarts };
}

/** It was removed for its pod to begin anew. */
function removed(base: ContainerStatus): ContainerStatus {
  const { reason, message } = wholeRestart;
  return {
    ...base,
    state: { waiting: { reason, message } },
    lastState: { terminated: { reason, message, exitCode: 137 } },
    restartCount: base.restartCount + 1,
  };
}

/** Whether a plain init container without a record must have ended well: a regular container was made after it. */
function isPassedInit(
  { pod, record }: ContainerStatusContext,
  target: PodContainer,
  { state }: ContainerStatus,
) {
  if (target.kind !== 'init' || isSidecar(target.container) || !state?.waiting) return false;
  return pod.spec.containers.some(({ name }) => {
    const made = newestContainer(record, name)?.state;
    return made !== undefined && made !== CriState.CONTAINER_UNKNOWN;
  });
}

function passedInit(status: ContainerStatus): ContainerStatus {
  const terminated = {
    exitCode: 0,
    reason: 'Completed',
    message:
      'Unable to get init container status from container runtime and pod has been initialized, treat it as exited normally',
  };
  return { ...status, state: { terminated }, ready: true };
}

function withWaitingReason(
  context: ContainerStatusContext,
  { kind, container }: PodContainer,
  status: ContainerStatus,
  newest: CriStatus | undefined,
): ContainerStatus {
  const reason = context.waitingReason(container.name);
  const isDoneInit = kind === 'init' && !isSidecar(container) && status.state?.terminated?.exitCode === 0;
  if (!reason || isDoneInit || status.state?.running || !shouldStart(context.pod, container, newest))
    return status;
  const ended = status.state?.terminated;
  return {
    ...status,
    state: { waiting: { ...reason } },
    ...(ended ? { lastState: { terminated: ended } } : {}),
  };
}
