import { kinds } from '@wherry/client';
import type { Node, NodeMetrics } from '@wherry/kubeapi';
import { CommandError } from '../../../errors.ts';
import { clientFor } from '../../../kube/flags.ts';
import { print } from '../../../output/listing.ts';
import { formatTable } from '../../../output/table.ts';
import { requireOrder, type TopNodesFlags } from './flags.ts';
import { notYet, withMetrics } from './metrics.ts';
import { byUsage, measuredResources, shareText, titles, type Usage, usageText } from './usage.ts';

/** Prints what nodes take. One that nobody has figures of is there without them, unless others were asked for. */
export async function topNodes(names: readonly string[], flags: TopNodesFlags): Promise<void> {
  requireOrder(flags);
  if (names.length > 0 && flags.selector !== undefined)
    throw new CommandError('only one of NAME or --selector can be provided');
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
  if (taken.length === 0) throw new CommandError(notYet);
  const availableByName = new Map(there.map((node) => [node.metadata.name, available(node, flags)]));
  const nameOf = ({ metadata }: { metadata: { name?: string } }) => metadata.name ?? '';
  const measured = byUsage<NodeMetrics>(taken, {
    sortBy: flags.sortBy,
    usages: ({ usage }) => [usage],
    name: nameOf,
  });
  const resources = measuredResources(flags);
  const rows = measured.map((item) => {
    const most = availableByName.get(nameOf(item));
    const cells = resources.flatMap((resource) =>
      resource === 'swap' && most?.['swap'] === undefined
        ? unknownPair
        : [usageText([item.usage], resource), shareText(item.usage, most, resource)],
    );
    return [nameOf(item), ...cells];
  });
  const known = new Set(taken.map(nameOf));
  const unknown = there.map(nameOf).filter((name) => !known.has(name));
  for (const name of unknown.sort()) rows.push([name, ...resources.flatMap(() => unknownPair)]);
  const header = ['NAME', ...resources.flatMap((resource) => titles[resource])];
  print(formatTable(header, rows, { hasHeader: flags.headers }));
}

const unknownPair = ['<unknown>', '<unknown>'];

/** What there is on a node. How much swap it has, it tells of itself. */
function available({ status }: Node, { showCapacity }: TopNodesFlags): Usage | undefined {
  const resources = showCapacity ? status?.capacity : status?.allocatable;
  const swap = status?.nodeInfo?.swap?.capacity;
  return swap === undefined ? resources : { ...resources, swap: String(swap) };
}
