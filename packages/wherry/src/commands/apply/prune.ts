import type { DiscoveredResource, KubeClient } from '@wherry/client';
import { systemClock } from '@wherry/clock';
import { limits } from '../../limits.ts';
import { typeName } from '../../objects/catalog.ts';
import { deleteOptions } from '../../objects/deletion/cascade.ts';
import { untilGone } from '../../objects/deletion/until-gone.ts';
import type { FoundObject } from '../../objects/find-objects.ts';
import { prunedObjects } from '../../objects/given/pruned.ts';
import { outcomePrinter } from '../../objects/outcome.ts';
import type { ApplySet } from './apply-set/apply-set.ts';
import type { ApplyFlags } from './flags.ts';

/** What was applied, and so stays. */
export interface Kept {
  uids: Set<string>;
  /** Where what goes is looked for. */
  namespaces: Set<string>;
}

/** What is pruned, and where. */
interface Pruning {
  client: KubeClient;
  resources: readonly DiscoveredResource[];
  kept: Kept;
  /** Whose members are pruned, in place of what client-side apply has made of `resources`. */
  set: ApplySet | undefined;
}

/** Deletes what was applied before and was not applied this time, and says so. */
export async function prune(pruning: Pruning, flags: ApplyFlags): Promise<void> {
  const { client, resources, kept, set } = pruning;
  const { selector, dryRun, cascade, gracePeriod, namespace } = flags;
  const tell = outcomePrinter(flags);
  const namespaces = new Set([...kept.namespaces, ...(namespace === undefined ? [] : [namespace])]);
  const doomed = set
    ? await set.left(kept.uids)
    : await prunedObjects({ client, resources, namespaces, kept: kept.uids, selector });
  for (const one of doomed) {
    const { resource, object } = one;
    if (dryRun !== 'client') {
      const options = { ...deleteOptions(cascade, gracePeriod), dryRun: dryRun === 'server' };
      await client.resource(resource).delete(one, options);
    }
    tell({ resource, object, done: 'pruned' });
  }
  await set?.close();
  if (flags.wait && dryRun === 'none') await untilAllGone(client, doomed, flags);
}

async function untilAllGone(client: KubeClient, gone: readonly FoundObject[], flags: ApplyFlags) {
  const endMs = systemClock.monotonicMs() + (flags.timeout || limits.waitTimeoutMsMax);
  for (const one of gone) {
    const late = `timed out waiting for ${typeName(one.resource)} "${one.name}" to be gone`;
    await untilGone(client, one, { endMs, late, uid: one.object.metadata?.uid });
  }
}
