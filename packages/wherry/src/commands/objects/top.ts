import { kinds } from '@wherry/client';
import { type Node, type NodeMetrics, type PodMetrics, StatusError } from '@wherry/kubeapi';
import { CommandError } from '../../errors.ts';
import { clientFor, type KubeFlags } from '../../kube/flags.ts';
import { listedNamespace, nothingFound, refuseSelectors } from '../../kube/scope.ts';
import { print } from '../../output/listing.ts';
import { formatTable } from '../../output/table.ts';
import {
  byUsage,
  type MeasuredResource,
  measuredResources,
  shareText,
  type Usage,
  usageText,
} from './usage.ts';

/** Flags of `wherry top`. */
export interface TopFlags extends KubeFlags {
  selector?: string;
  sortBy?: MeasuredResource;
  /** False for `--no-headers`. */
  headers: boolean;
}

/** Flags of `wherry top nodes`. */
export interface TopNodesFlags extends TopFlags {
  /** Shares of what the nodes have, not of what pods may take. */
  showCapacity?: boolean;
}

/** Flags of `wherry top pods`. */
export interface TopPodsFlags extends TopFlags {
  allNamespaces?: boolean;
  fieldSelector?: string;
  containers?: boolean;
  sum?: boolean;
}

/** Prints what nodes take. One that nobody has figures of is there without them, unless others were asked for. */
export async function topNodes(names: readonly string[], flags: TopNodesFlags): Promise<void> {
  if (names.length > 0) refuseSelectors(flags);
  const client = clientFor(flags);
  const figures = client.resource(kinds.nodeMetrics);
  const nodes = client.resource(kinds.nodes);
  const query = { labelSelector: flags.selector };
  const [taken, there] = await withMetrics(
    names.length > 0
      ? Promise.all([
          Promise.all(names.map((name) => figures.get({ name }))),
          Promise.all(names.map((name) => nodes.get({ name }))),
        ])
      : Promise.all([
          figures.listAll(query).then(({ items }) => items),
          nodes.listAll(query).then(({ items }) => items),
        ]),
  );
  if (there.length === 0) return console.error(nothingFound(undefined));
  const availableByName = new Map(there.map((node) => [node.metadata.name, available(node, flags)]));
  const nameOf = ({ metadata }: { metadata: { name?: string } }) => metadata.name ?? '';
  const measured = byUsage<NodeMetrics>(taken, {
    sortBy: flags.sortBy,
    usages: ({ usage }) => [usage],
    name: nameOf,
  });
  const rows = measured.map((item) => {
    const most = availableByName.get(nameOf(item));
    const cells = measuredResources.flatMap((resource) => [
      usageText([item.usage], resource),
      shareText(item.usage, most, resource),
    ]);
    return [nameOf(item), ...cells];
  });
  const known = new Set(taken.map(nameOf));
  const unknown = there.map(nameOf).filter((name) => !known.has(name));
  for (const name of unknown.sort()) rows.push([name, ...Array<string>(4).fill('<unknown>')]);
  const header = ['NAME', 'CPU(cores)', 'CPU(%)', 'MEMORY(bytes)', 'MEMORY(%)'];
  print(formatTable(header, rows, { hasHeader: flags.headers }));
}

/** What of a cluster without a metrics server comes is no word about an object. */
async function withMetrics<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    const isServed =
      !(error instanceof StatusError) ||
      error.code !== 404 ||
      error.status.details?.causes?.[0]?.reason !== 'UnexpectedServerResponse';
    if (isServed) throw error;
    throw new CommandError(
      'Metrics API not available; its server, such as metrics-server, is not in this cluster',
      {
        cause: error,
      },
    );
  }
}

const available = ({ status }: Node, { showCapacity }: TopNodesFlags): Usage | undefined =>
  showCapacity ? status?.capacity : status?.allocatable;

/** Prints what pods take, or each of their containers. */
export async function topPods(names: readonly string[], flags: TopPodsFlags): Promise<void> {
  if (names.length > 0) refuseSelectors(flags);
  const client = clientFor(flags);
  const namespace = listedNamespace(client, flags);
  const resource = client.resource(kinds.podMetrics);
  const query = { namespace, labelSelector: flags.selector, fieldSelector: flags.fieldSelector };
  const pods = await withMetrics(
    names.length > 0 && namespace !== undefined
      ? Promise.all(names.map((name) => resource.get({ name, namespace })))
      : resource.listAll(query).then(({ items }) => items),
  );
  if (pods.length === 0) return console.error(nothingFound(namespace));
  const { sortBy } = flags;
  const usages = ({ containers }: PodMetrics) => containers.map(({ usage }) => usage);
  const fullName = ({ metadata }: PodMetrics) => `${metadata.namespace ?? ''}/${metadata.name ?? ''}`;
  const rows = byUsage(pods, { sortBy, usages, name: fullName }).flatMap((pod) => {
    const { namespace: home = '', name = '' } = pod.metadata;
    const place = flags.allNamespaces ? [home] : [];
    if (!flags.containers) return [[...place, name, ...cellsOf(usages(pod))]];
    const containers = byUsage(pod.containers, {
      sortBy,
      usages: ({ usage }) => [usage],
      name: (container) => container.name,
    });
    return containers.map((container) => [...place, name, container.name, ...cellsOf([container.usage])]);
  });
  const header = [
    ...(flags.allNamespaces ? ['NAMESPACE'] : []),
    ...(flags.containers ? ['POD', 'NAME'] : ['NAME']),
    ...['CPU(cores)', 'MEMORY(bytes)'],
  ];
  if (flags.sum) {
    const before = Array<string>(header.length - 2).fill('');
    rows.push([...before, '________', '________'], [...before, ...cellsOf(pods.flatMap(usages))]);
  }
  print(formatTable(header, rows, { hasHeader: flags.headers }));
}

const cellsOf = (usages: readonly Usage[]) =>
  measuredResources.map((resource) => usageText(usages, resource));
