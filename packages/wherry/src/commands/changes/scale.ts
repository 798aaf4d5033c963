import type { KubeClient, KubeObject } from '@wherry/client';
import { sleep, systemClock } from '@wherry/clock';
import { hasReason } from '@wherry/kubeapi';
import { CommandError } from '../../errors.ts';
import { clientFor } from '../../kube/flags.ts';
import { limits } from '../../limits.ts';
import { causePatch } from '../../objects/change-cause.ts';
import { type FoundObject, findObjects, type SelectFlags } from '../../objects/find-objects.ts';
import { type OutcomeFlags, outcomePrinter } from '../../objects/outcome.ts';
import { Failures } from '../../output/failures.ts';

/** Flags of `wherry scale`. */
export interface ScaleFlags extends SelectFlags, OutcomeFlags {
  replicas: number;
  /** Below 0 for any. */
  currentReplicas: number;
  resourceVersion?: string;
  /** Milliseconds; 0 does not wait. */
  timeout: number;
}

/** What the sub-resource `scale` is, of any kind. */
interface Scale extends KubeObject {
  spec?: { replicas?: number };
  status?: { replicas?: number };
}

/** Sets how many pods objects have. The first that can't be scaled ends it. */
export async function scale(words: readonly string[], flags: ScaleFlags): Promise<void> {
  if (flags.replicas < 0) {
    throw new CommandError(
      'The --replicas=COUNT flag is required, and COUNT must be greater than or equal to 0',
    );
  }
  if (flags.currentReplicas < -1)
    throw new CommandError('The --current-replicas must specify an integer of -1 or greater');
  const client = clientFor(flags);
  const failures = new Failures();
  const found = await findObjects(client, { words, flags, failures });
  if (flags.resourceVersion && found.length > 1)
    throw new CommandError('cannot use --resource-version with multiple resources');
  if (found.length === 0 && failures.isEmpty) throw new CommandError('no objects passed to scale');
  const tell = outcomePrinter(flags);
  for (const one of found) {
    const replicas = flags.dryRun === 'client' ? flags.replicas : await scaleOne(client, one, flags);
    tell({ resource: one.resource, object: withReplicas(one, replicas), done: 'scaled' });
  }
  failures.report();
}

/** Where the field is known; custom resources may have it elsewhere. */
function withReplicas({ resource, object }: FoundObject, replicas: number): KubeObject {
  if (resource.group !== 'apps' && resource.group !== '') return object;
  const { spec } = object as Scale;
  return { ...object, spec: { ...spec, replicas } } as KubeObject;
}

/** How many there are to be now. */
async function scaleOne(client: KubeClient, one: FoundObject, flags: ScaleFlags): Promise<number> {
  const scaled = await writeScale(client, one, flags);
  if (flags.timeout > 0 && flags.dryRun !== 'server') await untilScaled(client, one, flags);
  if (flags.dryRun !== 'server') await record(client, one, flags);
  return scaled.spec?.replicas ?? 0;
}

/** What can't be recorded is scaled all the same, as in kubectl. */
async function record(client: KubeClient, one: FoundObject, flags: ScaleFlags): Promise<void> {
  const { resource, name, namespace, object } = one;
  const patch = causePatch(object, flags);
  if (!patch) return;
  const recording = client.resource<KubeObject>(resource).patch({ type: 'merge', name, namespace, patch });
  await recording.catch(() => undefined);
}

/** A conflict with another writer is tried again for a while. */
async function writeScale(client: KubeClient, one: FoundObject, flags: ScaleFlags): Promise<Scale> {
  const endMs = systemClock.monotonicMs() + limits.scaleConflictTimeoutMs;
  for (;;) {
    try {
      return await tryScale(client, one, flags);
    } catch (error) {
      if (!hasReason(error, 'Conflict')) throw error;
      if (systemClock.monotonicMs() > endMs) throw new CommandError('timed out waiting for the condition');
      await sleep({ clock: systemClock, delayMs: limits.scalePollMs });
    }
  }
}

async function tryScale(client: KubeClient, one: FoundObject, flags: ScaleFlags): Promise<Scale> {
  const { resource, name, namespace } = one;
  const scales = client.resource<Scale>(resource);
  const { currentReplicas, resourceVersion = '', replicas } = flags;
  const how = { namespace, subresource: 'scale', dryRun: flags.dryRun === 'server' };
  if (currentReplicas === -1 && resourceVersion === '')
    return scales.patch({ ...how, type: 'merge', name, patch: { spec: { replicas } } });
  const current = await scales.get({ name, namespace, subresource: 'scale' });
  const size = current.spec?.replicas ?? 0;
  if (currentReplicas !== -1 && size !== currentReplicas)
    throw new CommandError(`Expected replicas to be ${currentReplicas}, was ${size}`);
  const version = current.metadata?.resourceVersion;
  if (resourceVersion !== '' && version !== resourceVersion)
    throw new CommandError(`Expected resource version to be ${resourceVersion}, was ${version}`);
  return scales.update({ ...current, spec: { ...current.spec, replicas } }, how);
}

/** Sub-resources can't be watched: `scale` is asked for again and again, as kubectl does. */
async function untilScaled(
  client: KubeClient,
  { resource, name, namespace }: FoundObject,
  { replicas, timeout }: ScaleFlags,
): Promise<void> {
  const endMs = systemClock.monotonicMs() + timeout;
  for (;;) {
    const { spec, status } = await client
      .resource<Scale>(resource)
      .get({ name, namespace, subresource: 'scale' });
    // Something else has asked for another number meanwhile.
    if ((spec?.replicas ?? 0) !== replicas) return;
    if ((status?.replicas ?? 0) === replicas) return;
    const leftMs = endMs - systemClock.monotonicMs();
    if (leftMs <= 0) throw new CommandError(`timed out waiting for "${name}" to be synced`);
    await sleep({ clock: systemClock, delayMs: Math.min(limits.scalePollMs, leftMs) });
  }
}
