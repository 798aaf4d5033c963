import type { ContainerStatus, Event, Pod, PodCondition } from '@wherry/kubeapi';
import { endText } from './pod-ends.ts';

/** What a pod that is not Ready waits for. */
export interface Wait {
  /** The part of the way that it stands at. */
  for: 'scheduling' | 'volumes' | 'sandbox' | 'image' | 'container' | 'probe' | 'readiness gate' | 'deletion';
  /** Why, in the words of who waits. */
  reason: string;
  message: string;
  /** The container that is waited for. */
  container?: string | undefined;
}

/** Reasons of events by the step that has failed, or is going on, when a pod has no sandbox yet. */
const volumeReasons = new Set(['FailedMount', 'FailedAttachVolume', 'FailedMapVolume', 'VolumeResizeFailed']);
const sandboxReasons = new Set(['FailedCreatePodSandBox', 'NetworkNotReady', 'FailedCreatePodContainer']);
const imageReasons = new Set([
  'ImagePullBackOff',
  'ErrImagePull',
  'ErrImageNeverPull',
  'InvalidImageName',
  'ImageInspectError',
]);

/** What the pod waits for; undefined for one that is Ready or has ended. `events`: the oldest first. */
export function waitOf(pod: Pod, events: readonly Event[]): Wait | undefined {
  const { phase, conditions = [] } = pod.status ?? {};
  const condition = (type: string) => conditions.find((one) => one.type === type);
  if (pod.metadata.deletionTimestamp) return ending(pod);
  if (phase === 'Succeeded' || phase === 'Failed' || condition('Ready')?.status === 'True') return undefined;
  if (!pod.spec.nodeName) return unscheduled(pod, condition('PodScheduled'));
  if (!hasSandbox(pod, condition('PodReadyToStartContainers'))) return beforeContainers(pod, events);
  const { initContainerStatuses = [], containerStatuses = [] } = pod.status ?? {};
  const unfinished = initContainerStatuses.filter(({ ready }) => !ready);
  const init = unfinished.find(({ name, state }) => state?.running && !isSidecar(pod, name));
  if (init) return { for: 'container', container: init.name, reason: 'Running', message: initRuns };
  for (const status of [...unfinished, ...containerStatuses]) {
    const wait = containerWait(status, events);
    if (wait) return wait;
  }
  const ready = condition('Ready');
  return {
    for: ready?.reason === 'ReadinessGatesNotReady' ? 'readiness gate' : 'container',
    reason: ready?.reason ?? 'Unknown',
    message: ready?.message ?? 'the kubelet has not said what its containers do',
  };
}

/** A wait for people: `image of container web (ErrImagePull): no such image`. */
export function waitText({ for: what, container, reason, message }: Wait): string {
  const who =
    container === undefined ? '' : what === 'container' ? ` ${container}` : ` of container ${container}`;
  return `${what}${who} (${reason})${message === '' ? '' : `: ${message}`}`;
}

const initRuns = 'it is an init container, and those behind it begin when it has ended';

const isSidecar = ({ spec }: Pod, container: string): boolean =>
  spec.initContainers?.some(({ name, restartPolicy }) => name === container && restartPolicy === 'Always') ??
  false;

function ending({ metadata }: Pod): Wait {
  const { finalizers = [] } = metadata;
  const message =
    finalizers.length > 0
      ? `it is deleted, and ${finalizers.join(', ')} keep it`
      : 'it is deleted, and its containers have their grace period to end';
  return { for: 'deletion', reason: 'Terminating', message };
}

function unscheduled({ spec }: Pod, condition: PodCondition | undefined): Wait {
  const gates = (spec.schedulingGates ?? []).map(({ name }) => name);
  const usual =
    gates.length > 0 ? `scheduling gates ${gates.join(', ')}` : 'no scheduler has looked at it yet';
  return {
    for: 'scheduling',
    reason: condition?.reason ?? (gates.length > 0 ? 'SchedulingGated' : 'Unscheduled'),
    message: condition?.message ?? usual,
  };
}

/** Of a kubelet that does not know the condition, containers that have begun say it. */
function hasSandbox({ status }: Pod, condition: PodCondition | undefined): boolean {
  if (condition) return condition.status === 'True';
  const { initContainerStatuses = [], containerStatuses = [] } = status ?? {};
  return [...initContainerStatuses, ...containerStatuses].some(
    ({ state, lastState }) =>
      state?.running || state?.terminated || lastState?.terminated || isTold(state?.waiting),
  );
}

const isTold = (waiting: { reason?: string | undefined } | undefined): boolean =>
  waiting?.reason !== undefined && !['ContainerCreating', 'PodInitializing'].includes(waiting.reason);

/** Before there is a sandbox the last complaint tells which of its two steps is tried again. */
function beforeContainers({ spec, status }: Pod, events: readonly Event[]): Wait {
  const last = events.findLast(({ reason = '' }) => volumeReasons.has(reason) || sandboxReasons.has(reason));
  const { reason = 'PodReadyToStartContainers', message = '' } = last ?? {};
  if (last)
    return { for: volumeReasons.has(reason) ? 'volumes' : 'sandbox', reason, message: message.trim() };
  const seen = status?.startTime
    ? 'its kubelet has it: volumes are being mounted, and its sandbox is being made'
    : `the kubelet of node ${spec.nodeName} has not said that it has it`;
  return { for: 'sandbox', reason, message: seen };
}

function containerWait(
  { name, state, lastState, ready, started }: ContainerStatus,
  events: readonly Event[],
): Wait | undefined {
  const own = events.filter(({ involvedObject }) => involvedObject.fieldPath?.includes(`{${name}}`));
  const last = (...reasons: string[]) => own.findLast(({ reason = '' }) => reasons.includes(reason));
  const common = { container: name };
  if (state?.running) {
    if (ready) return undefined;
    const complaint = last('Unhealthy', 'ProbeWarning');
    const which =
      started === false ? 'its startup probe has not succeeded yet' : 'its readiness probe has not succeeded';
    return {
      ...common,
      for: 'probe',
      reason: complaint?.reason ?? 'NotReady',
      message: complaint?.message?.trim() ?? which,
    };
  }
  const { reason = 'Waiting', message = '' } = state?.waiting ?? state?.terminated ?? {};
  // It has not been begun with.
  if (reason === 'PodInitializing') return undefined;
  if (imageReasons.has(reason)) return { ...common, for: 'image', reason, message };
  if (reason === 'ContainerCreating') {
    const image = last('Pulling', 'Pulled');
    if (image?.reason === 'Pulling') return waitFor('image', image, name);
    const complaint = events.findLast((event) => volumeReasons.has(event.reason ?? ''));
    if (complaint) return waitFor('volumes', complaint);
  }
  const said = message || (own.at(-1)?.message ?? '').trim();
  const end = reason === 'CrashLoopBackOff' && lastState?.terminated;
  return { ...common, for: 'container', reason, message: end ? `it ${endText(end)}; ${said}` : said };
}

const waitFor = (what: Wait['for'], { reason = '', message = '' }: Event, container?: string): Wait => ({
  ...(container !== undefined && { container }),
  ...{ for: what, reason, message: message.trim() },
});
