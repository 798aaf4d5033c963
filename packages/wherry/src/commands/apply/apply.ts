import type { DiscoveredResource, KubeClient } from '@wherry/client';
import { CommandError } from '../../errors.ts';
import { clientFor } from '../../kube/flags.ts';
import { warnLine } from '../../kube/warnings.ts';
import { withCause } from '../../objects/change-cause.ts';
import { eachManifest, type GivenObject } from '../../objects/given/each-manifest.ts';
import { prunedResources } from '../../objects/given/pruned.ts';
import { Failures } from '../../output/failures.ts';
import { ApplySet } from './apply-set/apply-set.ts';
import type { Applied } from './applying.ts';
import { applyHere } from './client-side.ts';
import type { ApplyFlags } from './flags.ts';
import { Outcomes } from './outcomes.ts';
import { type Kept, prune } from './prune.ts';
import { refuseContradictions } from './refused.ts';
import { applyAtServer } from './server-side.ts';

/** Applies the objects of files, and prints what became of each. One that fails keeps none of the others. */
export async function apply(flags: ApplyFlags): Promise<void> {
  refuseContradictions(flags);
  const failures = new Failures();
  const outcomes = new Outcomes(flags);
  const kept: Kept = { uids: new Set(), namespaces: new Set() };
  let resources: readonly DiscoveredResource[] = [];
  let set: ApplySet | undefined;
  const { count, client } = await eachManifest({
    ...{ connect: () => clientFor(flags), flags, failures, attempt: (work) => failures.attempt(work) },
    async prepare(catalog, manifests, kube) {
      if (flags.applyset) set = await ApplySet.open({ client: kube, catalog, flags }, manifests);
      else if (flags.prune) resources = prunedResources(flags.pruneAllowlist, catalog);
    },
    async work(given, client) {
      const labelled = set?.labelled(given) ?? given;
      const one = { ...labelled, object: withCause(labelled.object, flags) };
      if (one.namespace !== undefined) kept.namespaces.add(one.namespace);
      const applied = await applyOne(client, one, flags);
      kept.uids.add(applied.object.metadata?.uid ?? '');
      outcomes.add(one, applied);
    },
  });
  if (!failures.isEmpty) return failures.report();
  if (count === 0) throw new CommandError('no objects passed to apply');
  outcomes.printObjects();
  if (flags.prune) await prune({ client, resources, kept, set }, flags);
}

/** Applies the objects of files, folders and URLs without a word, and tells how many there were. Throws at the first that fails. */
export async function applyFiles(client: KubeClient, filename: string[]): Promise<number> {
  const flags: ApplyFlags = {
    ...{ filename, recursive: true, validate: 'Strict' },
    ...{ cascade: 'background', gracePeriod: -1, timeout: 0 },
  };
  const { count } = await eachManifest({
    ...{ connect: () => client, flags, attempt: (work) => work },
    async work(one) {
      await applyOne(client, one, flags);
    },
  });
  return count;
}

async function applyOne(client: KubeClient, one: GivenObject, flags: ApplyFlags): Promise<Applied> {
  const name = one.object.metadata?.name;
  if (!name) {
    throw new CommandError(`${one.place}: apply needs metadata.name; "wherry create" takes generateName`);
  }
  const applying = { client, one, name, flags };
  // What would come of it without a server is worked out here, whoever would apply it.
  const isHere = flags.serverSide === false || flags.dryRun === 'client';
  const applied = await (isHere ? applyHere(applying) : applyAtServer(applying));
  if (applied.object.metadata?.deletionTimestamp !== undefined)
    warnLine(`Detected changes to resource ${name} which is currently being deleted.`);
  return applied;
}
