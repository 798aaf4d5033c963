import { type KubeObject, kinds, type ResourceType } from '@wherry/client';
import { type Cell, eventPrinter, nodePrinter, type Printer, podPrinter } from '@wherry/kubeapi/printers';
import type { Event, Pod } from '@wherry/kubeapi/types';
import { waitOf } from '@wherry/podrules/pod-wait';
import type { ResourceKey } from './kinds.ts';
import { formatRoute } from './route.ts';
import { deploymentPrinter, servicePrinter } from './workload-printers.ts';

/** How a row looks, beside its words. */
export type Tone = 'good' | 'waiting' | 'bad' | 'over' | 'plain';

/** What the page shows of one kind of objects. */
export interface ListDefinition {
  title: string;
  type: ResourceType;
  printer: Printer<never>;
  /** Columns that kubectl shows only with `-o wide`, and this list too. */
  wide: readonly string[];
  /** Default: to the object's page. */
  hrefOf?(object: KubeObject): string | undefined;
  toneOf(object: KubeObject, cell: (column: string) => string): Tone;
  /** Why it is not as it should be, below its row. */
  noteOf?(object: KubeObject): string | undefined;
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
    noteOf: (object) => waitText(object as Pod, []),
  },
  deployments: {
    title: 'Deployments',
    type: kinds.deployments,
    printer: deploymentPrinter as Printer<never>,
    wide: [],
    toneOf: (_object, cell) => (isWhole(cell('Ready')) ? 'good' : 'waiting'),
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
    toneOf: (_object, cell) => (cell('Status').startsWith('Ready') ? 'good' : 'bad'),
  },
  events: {
    title: 'Events',
    type: kinds.events,
    printer: eventPrinter as Printer<never>,
    wide: ['Count'],
    hrefOf: () => undefined,
    toneOf: (object) => ((object as Event).type === 'Warning' ? 'bad' : 'plain'),
    order: (one, other) => lastSeenMs(other as Event) - lastSeenMs(one as Event),
  },
};

/** Where an object's page is; a pod has one of its own. */
export function objectHref(resource: ResourceKey, { metadata }: KubeObject): string {
  const { namespace = '', name = '' } = metadata ?? {};
  if (resource.group === kinds.pods.group && resource.plural === kinds.pods.plural)
    return formatRoute({ page: 'pod', namespace, name, tab: 'overview', container: undefined });
  return formatRoute({ page: 'object', resource, namespace, name });
}

/** How a pod looks by its state in one word. */
export function podTone({ status, metadata }: Pod, word: string): Tone {
  if (metadata.deletionTimestamp) return 'over';
  if (status?.phase === 'Succeeded') return 'over';
  if (status?.phase === 'Failed' || /Error|BackOff|OOMKilled|Invalid|Never|Failed/.test(word)) return 'bad';
  return status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True')
    ? 'good'
    : 'waiting';
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

/** `2/2`, but not `0/0`. */
function isWhole(ready: string): boolean {
  const [there, wanted] = ready.split('/').map(Number);
  return there === wanted;
}
