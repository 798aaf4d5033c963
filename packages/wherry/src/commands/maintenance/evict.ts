import { type KubeClient, kinds } from '@wherry/client';
import { DeadlineError, deadline, sleep, systemClock } from '@wherry/clock';
import { hasReason, type Pod, StatusError } from '@wherry/kubeapi';
import { CommandError } from '../../errors.ts';
import { limits } from '../../limits.ts';
import { goDuration } from '../../output/go-duration.ts';
import type { DrainFlags } from './flags.ts';
import { DrainProblems } from './problems.ts';

/** What takes pods away. */
export interface PodRemoval {
  client: KubeClient;
  flags: DrainFlags;
  /** A pod is gone, by this. */
  gone(pod: Pod, how: 'evicted' | 'deleted'): void;
}

const tooManyRequests = 429;

/** Evicts pods, all at once, and waits until they are gone. Throws `DrainProblems` with all that failed. */
export async function evictPods(pods: readonly Pod[], removal: PodRemoval): Promise<void> {
  const { timeout } = removal.flags;
  using limit = timeout > 0 ? deadline({ clock: systemClock, timeoutMs: timeout }) : undefined;
  const problems: string[] = [];
  await Promise.all(
    pods.map(async (pod) => {
      const problem = await evictOne(pod, removal, limit?.signal);
      if (problem !== undefined) problems.push(problem);
    }),
  );
  if (problems.length > 0) throw new DrainProblems(problems);
}

/** Resolves to what went wrong, if anything did. */
async function evictOne(pod: Pod, removal: PodRemoval, signal?: AbortSignal): Promise<string | undefined> {
  const { client, flags, gone } = removal;
  const { name = '', namespace = '' } = pod.metadata;
  const where = `pods/"${name}" -n "${namespace}"`;
  const pods = client.resource<Pod>(kinds.pods);
  let active = pod;
  for (;;) {
    const dry = flags.dryRun === 'server' ? ' (server dry run)' : '';
    console.log(`evicting pod ${namespace}/${name}${dry}`);
    if (signal?.aborted)
      return `error when evicting ${where}: global timeout reached: ${goDuration(flags.timeout)}`;
    try {
      await pods.create(evictionOf(active, flags), { name, namespace, subresource: 'eviction' });
      break;
    } catch (error) {
      if (hasReason(error, 'NotFound')) return undefined;
      if (!(error instanceof StatusError)) throw error;
      const isEndingNamespace = hasCause(error, 'NamespaceTerminating');
      if (isEndingNamespace && active.metadata.deletionTimestamp !== undefined) break;
      const retry = `(will retry after ${goDuration(limits.evictionRetryMs)}): ${error.message}`;
      if (error.code === tooManyRequests) console.error(`error when evicting ${where} ${retry}`);
      else if (isEndingNamespace) {
        console.error(`error when evicting pod "${name}" from terminating namespace "${namespace}" ${retry}`);
      } else return `error when evicting ${where}: ${error.message}`;
      await sleep({ clock: systemClock, delayMs: limits.evictionRetryMs });
    }
    active = await pods.get({ name, namespace }).catch(() => active);
  }
  if (flags.dryRun === 'server') return undefined;
  try {
    if (await isGone(active, removal, signal)) gone(active, 'evicted');
    return undefined;
  } catch (error) {
    if (!(error instanceof DeadlineError)) throw error;
    return `error when waiting for pod "${name}" in namespace "${namespace}" to terminate: context deadline exceeded`;
  }
}

const hasCause = ({ code, status }: StatusError, wanted: string): boolean =>
  code === 403 && (status.details?.causes ?? []).some(({ reason }) => reason === wanted);

function evictionOf({ metadata: { name, namespace } }: Pod, { gracePeriod, dryRun }: DrainFlags) {
  const deleteOptions = {
    ...(gracePeriod >= 0 ? { gracePeriodSeconds: gracePeriod } : {}),
    ...(dryRun === 'server' ? { dryRun: ['All'] } : {}),
  };
  return { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace }, deleteOptions };
}

/** Deletes pods, past all disruption budgets, and waits until they are gone. The first that can't be deleted ends it. */
export async function deletePods(pods: readonly Pod[], removal: PodRemoval): Promise<void> {
  const { client, flags, gone } = removal;
  const { gracePeriod, timeout } = flags;
  const how = {
    ...(gracePeriod >= 0 ? { gracePeriodSeconds: gracePeriod } : {}),
    dryRun: flags.dryRun === 'server',
  };
  for (const { metadata } of pods) {
    const { name = '', namespace } = metadata;
    const deleting = client.resource<Pod>(kinds.pods).delete({ name, namespace }, how);
    await deleting.catch((error: unknown) => {
      if (!hasReason(error, 'NotFound')) throw error;
    });
  }
  if (how.dryRun) return;
  using limit = timeout > 0 ? deadline({ clock: systemClock, timeoutMs: timeout }) : undefined;
  await Promise.all(
    pods.map(async (pod) => {
      if (await isGone(pod, removal, limit?.signal)) gone(pod, 'deleted');
    }),
  ).catch((error: unknown) => {
    throw error instanceof DeadlineError ? new CommandError('context deadline exceeded') : error;
  });
}

/** Waits until the pod is gone; false when it should have been for longer than anybody waits, which is said. */
async function isGone(pod: Pod, { client, flags }: PodRemoval, signal?: AbortSignal): Promise<boolean> {
  const { name = '', namespace, uid } = pod.metadata;
  const { skipWaitForDeleteTimeout } = flags;
  const patience = new AbortController();
  const isWaited = signal ? AbortSignal.any([signal, patience.signal]) : patience.signal;
  const giveUp = new CommandError('given up');
  let timer: { cancel(): void } | undefined;
  const noteDeletion = ({ metadata: { deletionTimestamp } }: Pod) => {
    if (skipWaitForDeleteTimeout <= 0 || deletionTimestamp === undefined) return;
    const untilMs = Date.parse(deletionTimestamp) + (skipWaitForDeleteTimeout + 1) * 1000;
    timer ??= systemClock.after(Math.max(0, untilMs - systemClock.nowMs()), () => patience.abort(giveUp));
  };
  try {
    await client.followUntil<Pod>(
      kinds.pods,
      (change) => {
        if (change.type === 'SYNCED') return !change.objects.some(({ metadata }) => metadata.uid === uid);
        if (change.object.metadata.uid !== uid) return false;
        if (change.type !== 'DELETED') noteDeletion(change.object);
        return change.type === 'DELETED';
      },
      { namespace, fieldSelector: `metadata.name=${name}`, signal: isWaited },
    );
    return true;
  } catch (error) {
    if (error !== giveUp) throw error;
    console.log(
      `pod "${name}" has DeletionTimestamp older than ${skipWaitForDeleteTimeout} seconds, skipping`,
    );
    return false;
  } finally {
    timer?.cancel();
  }
}
