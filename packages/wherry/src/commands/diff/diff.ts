import type { KubeClient, KubeObject } from '@wherry/client';
import { hasReason } from '@wherry/kubeapi';
import { CommandError } from '../../errors.ts';
import { clientFor } from '../../kube/flags.ts';
import { warnLine } from '../../kube/warnings.ts';
import { Catalog } from '../../objects/catalog.ts';
import { prunedObjects, prunedResources } from '../../objects/given/pruned.ts';
import { exitCodeOf, printError } from '../../output/errors.ts';
import { interruptible } from '../../terminal/interrupt.ts';
import { runDiff } from './diff-program.ts';
import type { DiffFlags } from './flags.ts';
import { mergedObject } from './merged.ts';
import { VersionFolders } from './version-folders.ts';
import { type Wanted, wantedObjects } from './wanted.ts';

/** What a diff program ends with when something differs; failures end with more. */
const differs = 1;

/** How often an object that others change meanwhile is looked at, the last time without a lock. */
const attemptsMax = 4;

/** Shows how objects are on the server beside how they would be if files were applied. Ends with 0, with 1 where they differ, with more where it failed. */
export async function diff(flags: DiffFlags): Promise<void> {
  try {
    if (flags.forceConflicts && flags.serverSide === false)
      throw new CommandError('--force-conflicts only works with --server-side');
    if (await interruptible((signal) => compare(flags, signal))) process.exitCode = differs;
  } catch (error) {
    printError(error);
    process.exitCode = Math.max(exitCodeOf(error), differs + 1);
  }
}

/** True where something differs. */
async function compare(flags: DiffFlags, signal: AbortSignal): Promise<boolean> {
  const client = clientFor(flags);
  const catalog = await Catalog.of(client, signal);
  const resources = flags.prune ? prunedResources(flags.pruneAllowlist, catalog) : [];
  const all = await wantedObjects({ client, catalog }, flags);
  using folders = new VersionFolders(flags);
  const kept = new Set<string>();
  await forEach(all, flags.concurrency, async (wanted) => {
    const { uid } = (await writeOne({ client, wanted, flags, folders, signal }))?.metadata ?? {};
    if (uid !== undefined) kept.add(uid);
  });
  const namespaces = new Set(all.flatMap(({ namespace }) => namespace ?? []));
  const { selector } = flags;
  for (const gone of await prunedObjects({ client, resources, namespaces, kept, selector, signal }))
    folders.write(gone, { live: gone.object, merged: undefined });
  return await runDiff([folders.live, folders.merged], signal);
}

interface One {
  client: KubeClient;
  wanted: Wanted;
  flags: DiffFlags;
  folders: VersionFolders;
  signal: AbortSignal;
}

/** Writes both versions of an object; resolves to the one that is there. */
async function writeOne({ folders, ...one }: One): Promise<KubeObject | undefined> {
  const { wanted } = one;
  for (let attempt = 1; ; attempt += 1) {
    const live = await liveObject(one);
    if (live?.metadata?.deletionTimestamp !== undefined)
      warnLine(`Detected changes to resource ${wanted.name} which is currently being deleted.`);
    try {
      const merged = await mergedObject({ ...one, live, isLocked: attempt < attemptsMax });
      folders.write(wanted, { live, merged });
      return live;
    } catch (error) {
      // A conflict of server-side apply is one of managers, which nothing ends.
      const isRace = hasReason(error, 'Conflict') && one.flags.serverSide === false;
      if (!isRace || attempt === attemptsMax) throw error;
    }
  }
}

async function liveObject({ client, wanted, signal }: Omit<One, 'folders'>): Promise<KubeObject | undefined> {
  try {
    return await client.resource<KubeObject>(wanted.resource).get({ ...wanted, signal });
  } catch (error) {
    if (hasReason(error, 'NotFound')) return undefined;
    throw error;
  }
}

/** Does `work` for all, several at a time. Of what is left nothing is begun when one fails, and that is thrown. */
async function forEach<T>(all: readonly T[], atOnce: number, work: (one: T) => Promise<void>): Promise<void> {
  const left = all.values();
  const worker = async () => {
    try {
      for (const one of left) await work(one);
    } catch (error) {
      // The others find nothing any more.
      for (const _ of left);
      throw error;
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, atOnce) }, worker));
}
