import type { DiscoveredResource } from '@wherry/client';
import { age, podPrinter } from '@wherry/kubeapi/printers';
import type { Container, ContainerStatus, Event, Pod } from '@wherry/kubeapi/types';
import { endText, failureText, restartedContainers, restartedText } from '@wherry/podrules/pod-ends';
import { type ConditionRow, conditionRows } from '../conditions.ts';
import { type Fact, ownerLinks, pairs } from '../facts.ts';
import { type Link, nodeHref } from '../links.ts';
import { cellText, lastSeenMs, podTone, waitText } from '../lists.ts';
import type { Tone } from '../tones.ts';

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
  /** Whose last words tell why; undefined for what never ended, or ended well. */
  ended: { previous: boolean } | undefined;
}

/** All that a pod's page says of it, apart from its events. */
export interface PodDetails {
  facts: Fact[];
  /** What is wrong, each in a sentence. */
  troubles: string[];
  tone: Tone;
  containers: ContainerRow[];
  conditions: ConditionRow[];
}

/** What a pod's page says of it. A pure function. */
export function podDetails(pod: Pod, { events, nowMs, resources }: PodSight): PodDetails {
  const { metadata, spec, status = {} } = pod;
  const wait = waitText(pod, oldestFirst(events));
  const facts: [string, string | readonly Link[] | undefined][] = [
    ['Phase', status.phase],
    ['Node', spec.nodeName && [{ text: spec.nodeName, href: nodeHref(spec.nodeName) }]],
    ['Addresses', status.podIPs?.map(({ ip }) => ip).join(', ')],
    ['Age', age(metadata.creationTimestamp, nowMs)],
    ['Owner', ownerLinks(pod, resources)],
    ['Quality of service', status.qosClass],
    ['Service account', spec.serviceAccountName],
    ['Labels', pairs(metadata.labels)],
    ['Annotations', pairs(metadata.annotations)],
    ['Reason', [status.reason, status.message].filter(Boolean).join(': ')],
  ];
  return {
    facts: facts.filter((fact): fact is [string, string | Link[]] => Boolean(fact[1]?.length)),
    troubles: [wait && `It ${wait}`, failureText(pod), ...restartedContainers(pod).map(restartedText)].filter(
      (text) => text !== undefined,
    ),
    tone: podTone(pod, podWord(pod, nowMs)),
    containers: containersOf(pod).map(({ role, container, found }) =>
      containerRow({ role, container, found, nowMs }),
    ),
    conditions: conditionRows(pod, { nowMs }),
  };
}

/** What beside the pod itself is known of it. */
export interface PodSight {
  events: readonly Event[];
  nowMs: number;
  /** What the server has, as far as that is known. */
  resources: readonly DiscoveredResource[];
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
  const before = found?.lastState?.terminated;
  const isBad = (terminated ?? before)?.exitCode;
  const common = {
    ...{ name: container.name, role, image: container.image ?? '', ready: found?.ready ?? false },
    ...{ restarts: found?.restartCount ?? 0, last: endedText(before, nowMs) },
    ended: isBad ? { previous: !terminated && Boolean(running) } : undefined,
  };
  if (running) {
    const tone: Tone = found?.ready ? 'good' : 'waiting';
    return { ...common, state: `running for ${age(running.startedAt, nowMs)}`, message: '', tone };
  }
  if (terminated) {
    const tone: Tone = terminated.exitCode === 0 ? 'over' : 'bad';
    return { ...common, state: endedText(terminated, nowMs), message: '', tone };
  }
  const reason = waiting?.reason ?? 'not begun with';
  const tone: Tone = /BackOff|Err|Invalid|Error/.test(reason) ? 'bad' : 'waiting';
  return { ...common, state: `waiting: ${reason}`, message: waiting?.message ?? '', tone };
}

function endedText(
  ended: NonNullable<ContainerStatus['state']>['terminated'] | undefined,
  nowMs: number,
): string {
  return ended ? `${endText(ended)}, ${age(ended.finishedAt, nowMs)} ago` : '';
}
