import { type DiscoveredResource, type KubeObject, kinds, type ResourceType } from '@wherry/client';
import { type Cell, eventPrinter, nodePrinter, type Printer, podPrinter } from '@wherry/kubeapi/printers';
import type { Event, Pod } from '@wherry/kubeapi/types';
import { failureText, restartedContainers, restartedText } from '@wherry/podrules/pod-ends';
import { waitOf } from '@wherry/podrules/pod-wait';
import { limits } from '../limits.ts';
import { conditionsOf, nodeTroubles, troubleText } from './conditions.ts';
import { referenceHref } from './links.ts';
import type { Tone } from './tones.ts';
import { deploymentPrinter, servicePrinter } from './workload-printers.ts';

/** What the page shows of one kind of objects. */
export interface ListDefinition {
  title: string;
  type: ResourceType;
  printer: Printer<never>;
  /** Columns that kubectl shows only with `-o wide`, and this list too. */
  wide: readonly string[];
  /** The words of its rows' tones. Default: those of objects. */
  words?: ReadonlyMap<Tone, string>;
  /** Default: to the object's page. */
  hrefOf?(object: KubeObject): string | undefined;
  toneOf(object: KubeObject, cell: (column: string) => string): Tone;
  /** Why it is not as it should be, below its row. */
  noteOf?(object: KubeObject, nowMs: number): string | undefined;
  /** A second link of a row, beside its name's. */
  linkOf?(
    object: KubeObject,
    resources: readonly DiscoveredResource[],
  ): { column: string; href: string | undefined };
  /** Default: by namespace and name. */
  order?(one: KubeObject, other: KubeObject): number;
}

/** The words by which lists stand in addresses. */
export const listNames = ['pods', 'deployments', 'services', 'nodes', 'events'] as const;
/** The word of one list. */
export type ListName = (typeof listNames)[number];

/** The lists of the page. */
export const lists: Readonly<Record<ListName, ListDefinition>> = {
  pods: {
    title: 'Pods',
    type: kinds.pods,
    printer: podPrinter as Printer<never>,
    wide: ['Node'],
    toneOf: (object, cell) => podTone(object as Pod, cell('Status')),
    noteOf: (object, nowMs) => podNote(object as Pod, nowMs),
  },
  deployments: {
    title: 'Deployments',
    type: kinds.deployments,
    printer: deploymentPrinter as Printer<never>,
    wide: [],
    toneOf: (object, cell) => workloadTone(object, cell('Ready')),
    noteOf: (object) => troubleText(object),
  },
  services: {
    title: 'Services',
    type: kinds.services,
    printer: servicePrinter as Printer<never>,
    wide: [],
    toneOf: () => 'plain',
  },
  nodes: {
    title: 'Nodes',
    type: kinds.nodes,
    printer: nodePrinter as Printer<never>,
    wide: ['Internal-IP', 'OS-Image', 'Container-Runtime'],
    toneOf: (object, cell) => nodeTone(object, cell('Status')),
    noteOf: (object) => troubleText(object, nodeTroubles),
  },
  events: {
    title: 'Events',
    type: kinds.events,
    printer: eventPrinter as Printer<never>,
    wide: ['Count'],
    words: new Map([['bad', 'warnings']]),
    hrefOf: () => undefined,
    linkOf: (object, resources) => ({
      column: 'Object',
      href: referenceHref(resources, (object as Event).involvedObject),
    }),
    toneOf: (object) => ((object as Event).type === 'Warning' ? 'bad' : 'plain'),
    order: (one, other) => lastSeenMs(other as Event) - lastSeenMs(one as Event),
  },
};

/** How a pod looks by its state in one word. */
export function podTone({ status, metadata }: Pod, word: string): Tone {
  if (metadata.deletionTimestamp) return 'over';
  if (status?.phase === 'Succeeded') return 'over';
  if (status?.phase === 'Failed' || /Error|BackOff|OOMKilled|Invalid|Never|Failed/.test(word)) return 'bad';
  return status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True')
    ? 'good'
    : 'waiting';
}

/** A deployment of no replicas is nothing to wait for. */
function workloadTone(object: KubeObject, ready: string): Tone {
  if (
    conditionsOf(object).some(
      ({ type, reason }) => type === 'ReplicaFailure' || reason === 'ProgressDeadlineExceeded',
    )
  )
    return 'bad';
  if (ready === '0/0') return 'over';
  return isWhole(ready) ? 'good' : 'waiting';
}

function nodeTone(object: KubeObject, word: string): Tone {
  if (!/^Ready/.test(word)) return 'bad';
  return word === 'Ready' && troubleText(object, nodeTroubles) === undefined ? 'good' : 'waiting';
}

/** Why a pod is not as it should be: what it waits for, why it failed, or how a container ended a short time ago. */
function podNote(pod: Pod, nowMs: number): string | undefined {
  const wait = waitText(pod, []) ?? failureText(pod);
  if (wait !== undefined) return wait;
  const lately = restartedContainers(pod).find(
    ({ end }) => end && nowMs - (Date.parse(end.finishedAt ?? '') || 0) < limits.restartFreshMs,
  );
  return lately && restartedText(lately);
}

/** What a pod waits for, in a sentence. `events`: the oldest first. */
export function waitText(pod: Pod, events: readonly Event[]): string | undefined {
  const wait = waitOf(pod, events);
  if (!wait) return undefined;
  const who = wait.container ? ` of container ${wait.container}` : '';
  const what =
    wait.for === 'container' && wait.container ? `container ${wait.container}` : `${wait.for}${who}`;
  return `waits for ${what}: ${[wait.reason, wait.message].filter(Boolean).join(': ')}`;
}

/** When an event was seen last, in milliseconds since 1970; 0 where it does not say. */
export function lastSeenMs({ series, lastTimestamp, eventTime, firstTimestamp, metadata }: Event): number {
  const seen = series?.lastObservedTime ?? lastTimestamp ?? eventTime ?? firstTimestamp;
  return Date.parse(seen ?? metadata.creationTimestamp ?? '') || 0;
}

/** A cell as text. */
export const cellText = (cell: Cell | undefined): string =>
  cell === null || cell === undefined ? '' : `${cell}`;

/** `2/2`. */
function isWhole(ready: string): boolean {
  const [there, wanted] = ready.split('/').map(Number);
  return there === wanted;
}
