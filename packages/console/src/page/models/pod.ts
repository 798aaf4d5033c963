import { age, podPrinter } from '@wherry/kubeapi/printers';
import type { Container, ContainerStatus, Event, Pod } from '@wherry/kubeapi/types';
import { cellText, lastSeenMs, podTone, type Tone, waitText } from './lists.ts';

/** One container, and what became of it. */
export interface ContainerRow {
  name: string;
  /** `container`, `init`, `sidecar` or `ephemeral`. */
  role: string;
  image: string;
  /** `running for 5m`, `waiting: ImagePullBackOff`, `ended with exit code 1 (Error) 2m ago`. */
  state: string;
  /** Why, in the words of who says so. */
  message: string;
  /** How its instance before this one ended. */
  last: string;
  ready: boolean;
  restarts: number;
  tone: Tone;
}

/** All that a pod's page says of it, apart from its events. */
export interface PodDetails {
  facts: [name: string, value: string][];
  wait: string | undefined;
  tone: Tone;
  containers: ContainerRow[];
  conditions: { type: string; status: string; since: string; reason: string; message: string; tone: Tone }[];
}

/** What a pod's page says of it. A pure function. */
export function podDetails(pod: Pod, events: readonly Event[], nowMs: number): PodDetails {
  const { metadata, spec, status = {} } = pod;
  const owner = metadata.ownerReferences?.find(({ controller }) => controller);
  const facts: [string, string | undefined][] = [
    ['Phase', status.phase],
    ['Node', spec.nodeName],
    ['Addresses', status.podIPs?.map(({ ip }) => ip).join(', ')],
    ['Age', age(metadata.creationTimestamp, nowMs)],
    ['Owner', owner && `${owner.kind} ${owner.name}`],
    ['Quality of service', status.qosClass],
    ['Service account', spec.serviceAccountName],
    ['Labels', pairs(metadata.labels)],
    ['Reason', [status.reason, status.message].filter(Boolean).join(': ')],
  ];
  return {
    facts: facts.filter((fact): fact is [string, string] => Boolean(fact[1])),
    wait: waitText(pod, oldestFirst(events)),
    tone: podTone(pod, podWord(pod, nowMs)),
    containers: containersOf(pod).map(({ role, container, found }) =>
      containerRow({ role, container, found, nowMs }),
    ),
    conditions: (status.conditions ?? []).map(({ type, status, lastTransitionTime, reason, message }) => ({
      ...{
        type,
        status,
        since: age(lastTransitionTime, nowMs),
        reason: reason ?? '',
        message: message ?? '',
      },
      tone: status === 'True' ? 'good' : 'waiting',
    })),
  };
}

/** Its state in one word, as kubectl prints it. */
function podWord(pod: Pod, nowMs: number): string {
  const at = podPrinter.columns.findIndex(({ name }) => name === 'Status');
  return cellText(podPrinter.cells(pod, nowMs)[at]);
}

/** Names of the containers, those first that run for the longest. */
export function containerNames({ spec }: Pod): string[] {
  const { containers, initContainers = [], ephemeralContainers = [] } = spec;
  return [...containers, ...initContainers, ...ephemeralContainers].map(({ name }) => name);
}

/** Events, the oldest first. */
export function oldestFirst(events: readonly Event[]): Event[] {
  return [...events].sort((one, other) => lastSeenMs(one) - lastSeenMs(other));
}

interface FoundContainer {
  role: string;
  container: Pick<Container, 'name' | 'image'>;
  found: ContainerStatus | undefined;
}

function containersOf({ spec, status = {} }: Pod): FoundContainer[] {
  const { containerStatuses = [], initContainerStatuses = [], ephemeralContainerStatuses = [] } = status;
  const all = [...containerStatuses, ...initContainerStatuses, ...ephemeralContainerStatuses];
  const withStatus = (role: string, container: Pick<Container, 'name' | 'image'>): FoundContainer => ({
    ...{ role, container },
    found: all.find(({ name }) => name === container.name),
  });
  return [
    ...(spec.initContainers ?? []).map((one) =>
      withStatus(one.restartPolicy === 'Always' ? 'sidecar' : 'init', one),
    ),
    ...spec.containers.map((one) => withStatus('container', one)),
    ...(spec.ephemeralContainers ?? []).map((one) => withStatus('ephemeral', one)),
  ];
}

function containerRow({ role, container, found, nowMs }: FoundContainer & { nowMs: number }): ContainerRow {
  const { running, waiting, terminated } = found?.state ?? {};
  const common = {
    ...{ name: container.name, role, image: container.image ?? '', ready: found?.ready ?? false },
    ...{ restarts: found?.restartCount ?? 0, last: endText(found?.lastState?.terminated, nowMs) },
  };
  if (running) {
    const tone: Tone = found?.ready ? 'good' : 'waiting';
    return { ...common, state: `running for ${age(running.startedAt, nowMs)}`, message: '', tone };
  }
  if (terminated) {
    const tone: Tone = terminated.exitCode === 0 ? 'over' : 'bad';
    return { ...common, state: endText(terminated, nowMs), message: terminated.message ?? '', tone };
  }
  const reason = waiting?.reason ?? 'not begun with';
  const tone: Tone = /BackOff|Err|Invalid|Error/.test(reason) ? 'bad' : 'waiting';
  return { ...common, state: `waiting: ${reason}`, message: waiting?.message ?? '', tone };
}

function endText(
  ended: NonNullable<ContainerStatus['state']>['terminated'] | undefined,
  nowMs: number,
): string {
  if (!ended) return '';
  const { exitCode, signal, reason, finishedAt } = ended;
  const how = signal ? `by signal ${signal}` : `with exit code ${exitCode}`;
  return `ended ${how}${reason ? ` (${reason})` : ''} ${age(finishedAt, nowMs)} ago`;
}

/** Labels as `a=1, b=2`. */
export const pairs = (labels: Record<string, string> = {}): string =>
  Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .sort()
    .join(', ');
