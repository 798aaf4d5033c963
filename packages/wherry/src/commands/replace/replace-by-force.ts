import type { KubeObject } from '@wherry/client';
import { systemClock } from '@wherry/clock';
import { hasReason } from '@wherry/kubeapi';
import { limits } from '../../limits.ts';
import { deleteOptions } from '../../objects/deletion/cascade.ts';
import { deletedLine } from '../../objects/deletion/deleted-line.ts';
import { untilGone } from '../../objects/deletion/until-gone.ts';
import type { FoundManifest } from '../../objects/manifests/manifests.ts';
import { withSource } from '../../objects/manifests/with-source.ts';
import { outcomePrinter } from '../../objects/outcome.ts';
import { withoutVersion } from '../../objects/without-version.ts';
import { Failures } from '../../output/failures.ts';
import { untilMet } from '../wait/until-met.ts';
import { type Place, type Replacement, replacementOf } from './replacement.ts';

/**
 * Deletes the objects of files, waits until they are gone, and creates them anew. Each of the three begins when all objects are
 * through the one before: when one fails, what follows is left undone.
 */
export async function replaceByForce(manifests: readonly FoundManifest[], place: Place): Promise<void> {
  const { client, flags } = place;
  const found = await forEach(manifests, async (manifest) => replacementOf(manifest, place));
  if (!found) return;
  if (!(await forEach(found, (one) => deleteOne(one, place)))) return;
  if (flags.wait || flags.gracePeriod === 0) {
    const timeoutMs = flags.timeout || limits.waitTimeoutMsMax;
    if (!(await forEach(found, (one) => untilMet(client, one, 'delete', timeoutMs)))) return;
  }
  const isGone = (one: Replacement) => {
    const endMs = systemClock.monotonicMs() + (flags.timeout || limits.forcedReplaceTimeoutMs);
    return untilGone(client, one, { endMs, late: 'context deadline exceeded' });
  };
  if (!(await forEach(found, isGone))) return;
  const { fieldManager, validate } = flags;
  const tell = outcomePrinter(flags);
  await forEach(found, async ({ resource, namespace, object }) => {
    const options = { namespace, fieldManager, fieldValidation: validate };
    const created = await client.resource<KubeObject>(resource).create(withoutVersion(object), options);
    tell({ resource, object: created, done: 'replaced' });
  });
}

/** Does `work` for all, one after the other; undefined where any failed, which is then told. */
async function forEach<T, R>(all: readonly T[], work: (one: T) => Promise<R>): Promise<R[] | undefined> {
  const failures = new Failures();
  const done: R[] = [];
  for (const one of all) {
    await failures.attempt(work(one).then((result) => done.push(result)));
  }
  failures.report();
  return failures.isEmpty ? done : undefined;
}

/** Deletes what is there, and says so; what is not, is as good. */
async function deleteOne(one: Replacement, { client, flags }: Place): Promise<void> {
  const { resource, source } = one;
  try {
    // No grace period is one of a second, as of `delete`: nothing is lost that still runs.
    await client.resource(resource).delete(one, deleteOptions(flags.cascade, flags.gracePeriod || 1));
  } catch (error) {
    if (hasReason(error, 'NotFound')) return;
    throw withSource(error, 'deleting', source);
  }
  console.log(deletedLine(one, flags));
}
