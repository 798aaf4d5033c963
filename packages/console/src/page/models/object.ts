import { type DiscoveredResource, type KubeObject, selectorText } from '@wherry/client';
import { age } from '@wherry/kubeapi/printers';
import type { LabelSelector } from '@wherry/kubeapi/types';
import { type Fact, ownerLinks, pairs } from './facts.ts';
import type { Table } from './table.ts';

/** What an object is and what its list says of it, as pairs of a name and a text. `nowMs`: for ages. */
export function objectFacts(
  object: KubeObject,
  listed: Table | undefined,
  { nowMs, resources }: { nowMs: number; resources: readonly DiscoveredResource[] },
): Fact[] {
  const { creationTimestamp, deletionTimestamp, labels, annotations, finalizers } = object.metadata ?? {};
  const [row] = listed?.rows ?? [];
  const columns = (listed?.columns ?? []).flatMap((name, index): [string, string][] =>
    name === 'Name' || name === 'Age' ? [] : [[name, row?.cells[index] ?? '']],
  );
  const facts: (readonly [string, Fact[1] | undefined])[] = [
    ...columns,
    ['Age', age(creationTimestamp, nowMs)],
    ['Owner', ownerLinks(object, resources)],
    ['Labels', pairs(labels)],
    ['Annotations', pairs(annotations)],
    ['Being deleted', deletionTimestamp && `for ${age(deletionTimestamp, nowMs)}`],
    ['Finalizers', finalizers?.join(', ')],
  ];
  return facts.filter((fact): fact is Fact => Boolean(fact[1]?.length));
}

/** How the pods of an object are asked for: of a workload or service those that it selects, of a node those on it. */
export type PodSelection = { labelSelector: string } | { fieldSelector: string };

/** Undefined for what has no pods. */
export function podsOf(object: KubeObject): PodSelection | undefined {
  if (object.kind === 'Node') return { fieldSelector: `spec.nodeName=${object.metadata?.name}` };
  const selector = selectorsOf.get(object.kind ?? '')?.((object as Selecting).spec?.selector);
  const text = selector && selectorText(selector);
  return text ? { labelSelector: text } : undefined;
}

interface Selecting extends KubeObject {
  spec?: { selector?: object };
}

const whole = (selector: object | undefined): LabelSelector | undefined => selector;
const labels = (selector: object | undefined): LabelSelector | undefined =>
  selector && { matchLabels: selector as Record<string, string> };

const selectorsOf: ReadonlyMap<string, (selector: object | undefined) => LabelSelector | undefined> = new Map(
  [
    ...['DaemonSet', 'Deployment', 'Job', 'ReplicaSet', 'StatefulSet'].map((kind) => [kind, whole] as const),
    ...['ReplicationController', 'Service'].map((kind) => [kind, labels] as const),
  ],
);

/** The text of an object as the server writes it in YAML, without the lines about who manages which field. */
export const withoutManagedFields = (yaml: string): string =>
  yaml.replace(/^ {2}managedFields:.*\n(?: {2}- .*\n| {4,}.*\n)*/m, '');
