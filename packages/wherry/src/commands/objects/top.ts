import { kinds } from '@wherry/client';
import { type NodeMetrics, ownValue, type PodMetrics, parseQuantity } from '@wherry/kubeapi';
import { clientFor, type KubeFlags } from '../../kube/flags.ts';
import { type Column, printListing } from '../../output/listing.ts';

/** Flags of `wherry top`. */
export interface TopFlags extends KubeFlags {
  allNamespaces?: boolean;
  selector?: string;
  containers?: boolean;
}

type Usage = Record<string, string>;
const mebibyte = 2 ** 20;

const amount = (usages: readonly Usage[], resource: string) =>
  usages.reduce((sum, usage) => sum + parseQuantity(ownValue(usage, resource) ?? '0').toNumber(), 0);
const cpuText = (usages: readonly Usage[]) => `${Math.ceil(amount(usages, 'cpu') * 1_000)}m`;
const memoryText = (usages: readonly Usage[]) => `${Math.floor(amount(usages, 'memory') / mebibyte)}Mi`;

/** Prints what nodes take. */
export async function topNodes(names: readonly string[], flags: TopFlags): Promise<void> {
  const resource = clientFor(flags).resource(kinds.nodeMetrics);
  const items =
    names.length > 0
      ? await Promise.all(names.map((name) => resource.get({ name })))
      : (await resource.listAll({ labelSelector: flags.selector })).items;
  const columns: Column<NodeMetrics>[] = [
    { title: 'NAME', cell: ({ metadata }) => metadata.name ?? '' },
    { title: 'CPU(cores)', cell: ({ usage }) => cpuText([usage]) },
    { title: 'MEMORY(bytes)', cell: ({ usage }) => memoryText([usage]) },
  ];
  printListing({ items, columns, nameOf: ({ metadata }) => `node/${metadata.name}` });
}

interface Row {
  pod: PodMetrics;
  container: string;
  usages: readonly Usage[];
}

/** Prints what pods take, or each of their containers. */
export async function topPods(names: readonly string[], flags: TopFlags): Promise<void> {
  const client = clientFor(flags);
  const namespace = flags.allNamespaces ? undefined : (flags.namespace ?? client.access.namespace);
  const resource = client.resource(kinds.podMetrics);
  const pods =
    names.length > 0 && namespace !== undefined
      ? await Promise.all(names.map((name) => resource.get({ name, namespace })))
      : (await resource.listAll({ namespace, labelSelector: flags.selector })).items;
  const items = pods.flatMap((pod): Row[] =>
    flags.containers
      ? pod.containers.map(({ name, usage }) => ({ pod, container: name, usages: [usage] }))
      : [{ pod, container: '', usages: pod.containers.map(({ usage }) => usage) }],
  );
  const columns: Column<Row>[] = [
    ...(flags.allNamespaces
      ? [{ title: 'NAMESPACE', cell: ({ pod }: Row) => pod.metadata.namespace ?? '' }]
      : []),
    { title: flags.containers ? 'POD' : 'NAME', cell: ({ pod }) => pod.metadata.name ?? '' },
    ...(flags.containers ? [{ title: 'NAME', cell: ({ container }: Row) => container }] : []),
    { title: 'CPU(cores)', cell: ({ usages }) => cpuText(usages) },
    { title: 'MEMORY(bytes)', cell: ({ usages }) => memoryText(usages) },
  ];
  const nameOf = ({ pod }: Row) => `pod/${pod.metadata.name}`;
  printListing({ items, columns, nameOf });
}
