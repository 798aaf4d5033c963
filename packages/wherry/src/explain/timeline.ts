import type { ContainerStateTerminated, Event, Pod } from '@wherry/kubeapi';
import { endText } from '@wherry/podrules/pod-ends';
import { firstSeen, type Moment, secondOf } from './event-time.ts';

/** One step of a pod's way from the API write to Ready. */
export interface Step {
  at: Moment;
  step: string;
  /** What it is about, in the words of who did it. */
  detail: string;
  isTrouble: boolean;
  /** How often, for what happened again. */
  count: number;
}

/** Conditions by what their becoming True means. Of one second, what stands first happened first. */
const milestones = new Map([
  ['PodScheduled', 'bound to a node'],
  ['PodReadyToStartContainers', 'sandbox with addresses'],
  ['Initialized', 'init containers done'],
  ['ContainersReady', 'containers ready'],
  ['Ready', 'Ready'],
]);

/** Steps of one second without a more exact time stand in this order. */
const usualOrder = [
  ...['created', 'Scheduled', 'PodScheduled', 'PodReadyToStartContainers', 'Pulling', 'Pulled', 'Created'],
  ...['Started', 'running', 'Initialized', 'ContainersReady', 'Ready'],
];

/** Everything that is known of a pod's way, in order: what was written, its conditions and its events. */
export function timelineOf(pod: Pod, events: readonly Event[]): Step[] {
  const steps = [
    ...createdStep(pod),
    ...conditionSteps(pod, events),
    ...runningSteps(pod),
    ...eventSteps(events),
  ];
  return steps.sort(
    (one, other) => secondsOf(one) - secondsOf(other) || exactly(one, other) || rank(one) - rank(other),
  );
}

const secondsOf = ({ at }: Step) => Math.floor(at.ms / 1000);

const exactly = (one: Step, other: Step) =>
  one.at.isExact && other.at.isExact ? one.at.ms - other.at.ms : 0;

function rank({ step }: Step): number {
  const place = usualOrder.indexOf(step);
  return place < 0 ? usualOrder.length : place;
}

function createdStep({ metadata }: Pod): Step[] {
  if (!metadata.creationTimestamp) return [];
  const writer = metadata.managedFields?.find(({ subresource }) => !subresource)?.manager;
  const by = writer ?? metadata.ownerReferences?.[0]?.kind;
  const detail = `written to the API${by === undefined ? '' : ` by ${by}`}`;
  return [step(secondOf(metadata.creationTimestamp), 'created', detail)];
}

function conditionSteps({ status, spec }: Pod, events: readonly Event[]): Step[] {
  const hasScheduled = events.some(({ reason }) => reason === 'Scheduled');
  return (status?.conditions ?? []).flatMap(({ type, status: state, lastTransitionTime }) => {
    const meaning = milestones.get(type);
    if (meaning === undefined || state !== 'True' || !lastTransitionTime) return [];
    // Said by an event, with its exact time.
    if (type === 'PodScheduled' && hasScheduled) return [];
    if (type === 'Initialized' && !spec.initContainers?.length) return [];
    return [step(secondOf(lastTransitionTime), type, meaning)];
  });
}

function runningSteps({ status }: Pod): Step[] {
  const { initContainerStatuses = [], containerStatuses = [] } = status ?? {};
  return [...initContainerStatuses, ...containerStatuses].flatMap(
    ({ name, state, lastState, restartCount }) => {
      const { running, terminated } = state ?? {};
      const startedAt = running?.startedAt ?? terminated?.startedAt;
      const again = restartCount > 0 ? `, restart ${restartCount}` : '';
      const begun = startedAt ? [step(secondOf(startedAt), 'running', `container ${name}${again}`)] : [];
      return [...endSteps(name, lastState?.terminated), ...begun, ...endSteps(name, terminated)];
    },
  );
}

function endSteps(name: string, terminated: ContainerStateTerminated | undefined): Step[] {
  if (!terminated?.finishedAt) return [];
  const ended = step(secondOf(terminated.finishedAt), 'ended', `container ${name} ${endText(terminated)}`);
  return [{ ...ended, isTrouble: terminated.exitCode !== 0 }];
}

function eventSteps(events: readonly Event[]): Step[] {
  return events.flatMap((event) => {
    const at = firstSeen(event);
    if (!at) return [];
    const { reason = '', message = '', type, count = 1, series } = event;
    const isTrouble = type === 'Warning';
    return [{ ...step(at, reason, message.trim()), isTrouble, count: series?.count ?? count }];
  });
}

const step = (at: Moment, name: string, detail: string): Step => ({
  at,
  step: name,
  detail,
  isTrouble: false,
  count: 1,
});
