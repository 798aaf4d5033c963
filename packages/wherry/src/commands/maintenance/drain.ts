import { type KubeClient, kinds } from '@wherry/client';
import { type Node, type Pod, parseLabelSelector, StatusError } from '@wherry/kubeapi';
import { CommandError } from '../../errors.ts';
import { clientFor } from '../../kube/flags.ts';
import { warnLine } from '../../kube/warnings.ts';
import { findNodes, setUnschedulable, tellerOf } from './cordon.ts';
import { deletePods, evictPods, type PodRemoval } from './evict.ts';
import type { DrainFlags } from './flags.ts';
import { podsToGo } from './pods-to-go.ts';
import { DrainProblems } from './problems.ts';

/** Lets no further pods come to nodes, and those that are there go. A node that can't be emptied keeps none of the others. */
export async function drain(words: readonly string[], flags: DrainFlags): Promise<void> {
  refusePodSelector(flags);
  const client = clientFor(flags);
  const nodes = await findNodes(client, words, flags);
  await setUnschedulable(client, nodes, { isWanted: true, flags });
  const tell = tellerOf(kinds.nodes, flags);
  const failed: { name: string; messages: readonly string[] }[] = [];
  for (const node of nodes) {
    try {
      await empty(client, node, flags);
      tell(node, 'drained');
    } catch (error) {
      if (!(error instanceof CommandError) && !(error instanceof StatusError)) throw error;
      const { name = '' } = node.metadata;
      failed.push({ name, messages: error instanceof DrainProblems ? error.messages : [error.message] });
      console.error(
        `error: unable to drain node "${name}" due to error: ${error.message}, continuing command...`,
      );
    }
  }
  if (failed.length === 0) return;
  console.error('There are pending nodes to be drained:');
  for (const { name } of failed) console.error(` ${name}`);
  for (const message of failed.flatMap(({ messages }) => messages)) console.error(message);
  process.exitCode = 1;
}

function refusePodSelector({ podSelector }: DrainFlags): void {
  if (podSelector === undefined) return;
  try {
    parseLabelSelector(podSelector);
  } catch (error) {
    throw new CommandError('--pod-selector=<pod_selector> must be a valid label selector', { cause: error });
  }
}

async function empty(client: KubeClient, { metadata }: Node, flags: DrainFlags): Promise<void> {
  const { name = '' } = metadata;
  const { pods, warnings } = await podsToGo(client, name, flags);
  if (warnings !== '') warnLine(warnings);
  if (flags.dryRun === 'client') {
    for (const pod of pods)
      console.log(`evicting pod ${pod.metadata.namespace}/${pod.metadata.name} (dry run)`);
    return;
  }
  const removal: PodRemoval = { client, flags, gone: tellerOf(kinds.pods, flags) };
  const remove = flags.disableEviction ? deletePods : evictPods;
  try {
    await remove(pods, removal);
  } catch (error) {
    await sayPending(client, { name, flags, message: (error as Error).message });
    throw error;
  }
}

async function sayPending(
  client: KubeClient,
  { name, flags, message }: { name: string; flags: DrainFlags; message: string },
): Promise<void> {
  const pending: Pod[] = await podsToGo(client, name, flags).then(
    ({ pods }) => pods,
    (error: unknown) => {
      console.error(
        `Following errors occurred while getting the list of pods to delete:\n${(error as Error).message}`,
      );
      return [];
    },
  );
  if (pending.length === 0) return;
  console.error(`There are pending pods in node "${name}" when an error occurred: ${message}`);
  for (const { metadata } of pending) console.error(`pod/${metadata.name}`);
}
