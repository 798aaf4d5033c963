import { type KubeClient, kinds } from '@wherry/client';
import { systemClock } from '@wherry/clock';
import type { PodMetrics } from '@wherry/kubeapi';
import { CommandError } from '../../../errors.ts';
import { clientFor } from '../../../kube/flags.ts';
import { listedNamespace, nothingFound } from '../../../kube/scope.ts';
import { formatAge } from '../../../output/age.ts';
import { print } from '../../../output/listing.ts';
import { formatTable } from '../../../output/table.ts';
import { requireOrder, type TopPodsFlags } from './flags.ts';
import { notYet, withMetrics } from './metrics.ts';
import { byUsage, measuredResources, titles, type Usage, usageText } from './usage.ts';

/** Prints what pods take, or each of their containers. */
export async function topPods(names: readonly string[], flags: TopPodsFlags): Promise<void> {
  requireOrder(flags);
  if (names.length > 0 && (flags.selector !== undefined || flags.fieldSelector !== undefined))
    throw new CommandError('only one of NAME or selector can be provided');
  const client = clientFor(flags);
  const namespace = listedNamespace(client, flags);
  const resource = client.resource(kinds.podMetrics);
  const query = { namespace, labelSelector: flags.selector, fieldSelector: flags.fieldSelector };
  const pods = await withMetrics(
    names.length > 0 && namespace !== undefined
      ? Promise.all(names.map((name) => resource.get({ name, namespace })))
      : resource.listAll(query).then(({ items }) => items),
  );
  if (pods.length === 0) {
    await refuseUnmeasured(client, query);
    return console.error(nothingFound(namespace));
  }
  const resources = measuredResources(flags);
  const header = [
    ...(flags.allNamespaces ? ['NAMESPACE'] : []),
    ...(flags.containers ? ['POD', 'NAME'] : ['NAME']),
    ...resources.map((measured) => titles[measured][0]),
  ];
  const cellsOf = (usages: readonly Usage[]) => resources.map((measured) => usageText(usages, measured));
  const rows = rowsOf(pods, flags, cellsOf);
  if (flags.sum) {
    const before = Array<string>(header.length - resources.length).fill('');
    rows.push(
      [...before, ...resources.map(() => '________')],
      [...before, ...cellsOf(pods.flatMap(usagesOf))],
    );
  }
  print(formatTable(header, rows, { hasHeader: flags.headers }));
}

const usagesOf = ({ containers }: PodMetrics): Usage[] => containers.map(({ usage }) => usage);

function rowsOf(
  pods: readonly PodMetrics[],
  { allNamespaces, containers: isByContainer, sortBy }: TopPodsFlags,
  cellsOf: (usages: readonly Usage[]) => string[],
): string[][] {
  const fullName = ({ metadata }: PodMetrics) => `${metadata.namespace ?? ''}/${metadata.name ?? ''}`;
  return byUsage(pods, { sortBy, usages: usagesOf, name: fullName }).flatMap((pod) => {
    const { namespace = '', name = '' } = pod.metadata;
    const place = allNamespaces ? [namespace] : [];
    if (!isByContainer) return [[...place, name, ...cellsOf(usagesOf(pod))]];
    const containers = byUsage(pod.containers, {
      sortBy,
      usages: ({ usage }) => [usage],
      name: (container) => container.name,
    });
    return containers.map((container) => [...place, name, container.name, ...cellsOf([container.usage])]);
  });
}

/** Figures of a pod are there after so long, as kubectl has it. */
const measuredAfterMs = 120_000;

/** Throws `CommandError` where there are pods, and nobody has figures of them. */
async function refuseUnmeasured(
  client: KubeClient,
  query: {
    namespace: string | undefined;
    labelSelector: string | undefined;
    fieldSelector: string | undefined;
  },
): Promise<void> {
  const { items } = await client.resource(kinds.pods).listAll(query);
  for (const { metadata } of items) {
    const ageMs = systemClock.nowMs() - Date.parse(metadata.creationTimestamp ?? '');
    if (ageMs > measuredAfterMs)
      throw new CommandError(
        `Metrics not available for pod ${metadata.namespace}/${metadata.name}, age: ${formatAge(ageMs)}`,
      );
  }
  if (items.length > 0) throw new CommandError(notYet);
}
