import { type DiscoveredResource, type KubeClient, kinds } from '@wherry/client';
import type { Node } from '@wherry/kubeapi';
import { CommandError } from '../../errors.ts';
import { clientFor } from '../../kube/flags.ts';
import { limits } from '../../limits.ts';
import { itemsInChunks } from '../../objects/in-chunks.ts';
import { outcomePrinter } from '../../objects/outcome.ts';
import type { CordonFlags } from './flags.ts';

const nodeTypes: readonly string[] = ['no', 'node', 'nodes'];

/** Lets no further pods come to nodes. */
export async function cordon(words: readonly string[], flags: CordonFlags): Promise<void> {
  const client = clientFor(flags);
  await setUnschedulable(client, await findNodes(client, words, flags), { isWanted: true, flags });
}

/** Lets pods come to nodes again. */
export async function uncordon(words: readonly string[], flags: CordonFlags): Promise<void> {
  const client = clientFor(flags);
  await setUnschedulable(client, await findNodes(client, words, flags), { isWanted: false, flags });
}

/** The nodes that words name, `NAME` or `node/NAME`, or the selector finds. Throws at the first that is not there. */
export async function findNodes(
  client: KubeClient,
  words: readonly string[],
  { selector, chunkSize = limits.listChunkSize }: CordonFlags,
): Promise<Node[]> {
  const nodes = client.resource<Node>(kinds.nodes);
  if (words.length === 0)
    return itemsInChunks(chunkSize, (part) => nodes.list({ labelSelector: selector, ...part }));
  const found: Node[] = [];
  for (const word of words) {
    const [type = '', name = word] = word.includes('/') ? word.split('/') : ['node', word];
    if (!nodeTypes.includes(type.toLowerCase()))
      throw new CommandError(`error: expected resource of type node, got "${type}"`);
    found.push(await nodes.get({ name }));
  }
  return found;
}

/** What says what became of a node or a pod. */
export const tellerOf = (resource: { kind: string; plural: string }, flags: CordonFlags) => {
  const tell = outcomePrinter(flags);
  const of = { ...resource, group: '', singular: resource.kind.toLowerCase() } as DiscoveredResource;
  return (object: { metadata: { name?: string } }, done: string) =>
    tell({ resource: of, object: object as Node, done });
};

/** A node that can't be changed is said, and keeps none of the others, nor is it a failure: as kubectl has it. */
export async function setUnschedulable(
  client: KubeClient,
  nodes: readonly Node[],
  { isWanted, flags }: { isWanted: boolean; flags: CordonFlags },
): Promise<void> {
  const verb = isWanted ? 'cordon' : 'uncordon';
  const tell = tellerOf(kinds.nodes, flags);
  for (const node of nodes) {
    const { name = '' } = node.metadata;
    if ((node.spec?.unschedulable ?? false) === isWanted) {
      tell(node, `already ${verb}ed`);
      continue;
    }
    if (flags.dryRun !== 'client') {
      const patch = { spec: { unschedulable: isWanted || null } };
      const dryRun = flags.dryRun === 'server';
      try {
        await client.resource<Node>(kinds.nodes).patch({ type: 'strategic', name, patch, dryRun });
      } catch (error) {
        console.error(`error: unable to ${verb} node "${name}": ${(error as Error).message}`);
        continue;
      }
    }
    tell(node, `${verb}ed`);
  }
}
