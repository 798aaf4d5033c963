import { type KubeClient, resourcePath } from '@wherry/client';
import { systemClock } from '@wherry/clock';
import { hasReason } from '@wherry/kubeapi';
import { CommandError } from '../../errors.ts';
import { clientFor } from '../../kube/flags.ts';
import { refuseSelectors } from '../../kube/scope.ts';
import { warnLine } from '../../kube/warnings.ts';
import { typeName } from '../../objects/catalog.ts';
import { deleteOptions, gracePeriodOf } from '../../objects/deletion/cascade.ts';
import { deletedLine } from '../../objects/deletion/deleted-line.ts';
import { untilGone } from '../../objects/deletion/until-gone.ts';
import { withSource } from '../../objects/manifests/with-source.ts';
import { Failures } from '../../output/failures.ts';
import { confirmDeletion } from './confirm.ts';
import { deleteRaw } from './delete-raw.ts';
import { type Doomed, findDoomed } from './doomed.ts';
import type { DeleteFlags } from './flags.ts';

/** Deletes objects by name, file or selector, and waits until they are gone. One that can't be deleted keeps none of the others. */
export async function deleteObjects(words: readonly string[], flags: DeleteFlags): Promise<void> {
  refuseContradictions(words, flags);
  if (flags.force) warnLine(forceWarning);
  if (flags.raw !== undefined) return deleteRaw(flags.raw, flags);
  const client = clientFor(flags);
  const failures = new Failures({
    ignores: (error) => mayBeGone(flags) && hasReason(error, 'NotFound'),
  });
  const doomed = await findDoomed(client, { words, flags, failures });
  if (doomed.length === 0) return failures.isEmpty ? console.log('No resources found') : failures.report();
  if (flags.interactive && !(await confirmDeletion(doomed))) return console.log('deletion is cancelled');
  warnOfScope(doomed, flags);
  const going = new Map<Doomed, string>();
  for (const one of doomed) {
    const uid = flags.dryRun === 'client' ? '' : await failures.attempt(deleteOne(client, one, flags));
    if (uid === undefined) continue;
    going.set(one, uid);
    console.log(deletedLine(one, { ...flags, isForced: flags.force }));
  }
  failures.report();
  if (flags.wait && flags.dryRun === 'none') await untilAllGone(client, going, flags);
}

const forceWarning =
  'Immediate deletion does not wait for confirmation that the running resource has been terminated. The resource may continue to run on the cluster indefinitely.';

/** What selectors find may go by itself. */
const mayBeGone = ({ ignoreNotFound, all, selector, fieldSelector }: DeleteFlags): boolean =>
  ignoreNotFound === true || all === true || selector !== undefined || fieldSelector !== undefined;

/** In the words of kubectl, where it has them. */
function refuseContradictions(words: readonly string[], flags: DeleteFlags): void {
  const { filename, selector, fieldSelector, all, allNamespaces, now, force, gracePeriod } = flags;
  if (now && gracePeriod !== -1) {
    throw new CommandError('--now and --grace-period cannot be specified together');
  }
  if (force && (now || gracePeriod > 0)) {
    throw new CommandError('--force and --grace-period greater than 0 cannot be specified together');
  }
  if (all && selector !== undefined) {
    throw new CommandError('cannot set --all and --selector at the same time');
  }
  if (all && fieldSelector !== undefined) {
    throw new CommandError('cannot set --all and --field-selector at the same time');
  }
  if (flags.raw !== undefined) {
    if (words.length > 0) throw new CommandError('arguments may not be passed when --raw is specified');
    return;
  }
  if (filename) {
    if (words.length > 0) throw new CommandError('names and --filename exclude each other');
    if (all || selector !== undefined || fieldSelector !== undefined || allNamespaces) {
      throw new CommandError(
        'a file names its objects; it goes without --all, selectors and --all-namespaces',
      );
    }
  }
  if (words.length < 2 && !words.some((word) => word.includes('/'))) return;
  refuseSelectors(flags, words);
  if (allNamespaces) {
    throw new CommandError('a resource cannot be retrieved by name across all namespaces');
  }
}

/** Who names a namespace may believe that nothing else is touched. */
function warnOfScope(doomed: readonly Doomed[], { namespace, allNamespaces }: DeleteFlags): void {
  if (namespace === undefined || allNamespaces) return;
  if (doomed.every(({ resource }) => resource.namespaced)) return;
  warnLine('deleting cluster-scoped resources, not scoped to the provided namespace');
}

interface DeletionAnswer {
  metadata?: { uid?: string };
  details?: { uid?: string };
}

/** Has one deleted and gives back its UID; empty where the server does not say. */
async function deleteOne(client: KubeClient, one: Doomed, flags: DeleteFlags): Promise<string> {
  const { resource, name, namespace, source } = one;
  const options = deleteOptions(flags.cascade, gracePeriodOf(flags));
  const dryRun = flags.dryRun === 'server' ? { dryRun: ['All'] } : {};
  try {
    const answer = await client.request<DeletionAnswer>({
      method: 'DELETE',
      path: resourcePath(resource, { name, namespace }),
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ apiVersion: 'v1', kind: 'DeleteOptions', ...options, ...dryRun }),
    });
    return answer.details?.uid ?? answer.metadata?.uid ?? '';
  } catch (error) {
    throw source === undefined ? error : withSource(error, 'deleting', source);
  }
}

/** Waits for what goes, by its UID. Who may not look, does not wait. */
async function untilAllGone(
  client: KubeClient,
  going: ReadonlyMap<Doomed, string>,
  { timeout }: DeleteFlags,
): Promise<void> {
  const endMs = timeout > 0 ? systemClock.monotonicMs() + timeout : Number.POSITIVE_INFINITY;
  for (const [one, uid] of going) {
    const late = `timed out waiting for ${typeName(one.resource)} "${one.name}" to be gone`;
    try {
      await untilGone(client, one, { endMs, late, uid: uid || undefined });
    } catch (error) {
      if (!hasReason(error, 'Forbidden') && !hasReason(error, 'MethodNotAllowed')) throw error;
    }
  }
}
