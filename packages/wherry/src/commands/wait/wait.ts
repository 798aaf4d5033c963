import type { KubeClient, KubeObject } from '@wherry/client';
import { DeadlineError, deadline, systemClock } from '@wherry/clock';
import { hasReason } from '@wherry/kubeapi';
import { CommandError } from '../../errors.ts';
import { clientFor } from '../../kube/flags.ts';
import { limits } from '../../limits.ts';
import { withType } from '../../objects/catalog.ts';
import { type FoundObject, findObjects, meantObjects, type SelectFlags } from '../../objects/find-objects.ts';
import { outcomePrinter } from '../../objects/outcome.ts';
import { Failures } from '../../output/failures.ts';
import type { OutputFormat } from '../../output/output-format.ts';
import { type ForCondition, readConditions } from './conditions.ts';
import { timedOut, untilMet } from './until-met.ts';

/** Flags of `wherry wait`. */
export interface WaitFlags extends SelectFlags {
  for?: string[];
  /** Milliseconds, for all objects together; 0 looks once, below 0 is a week. */
  timeout: number;
  output?: OutputFormat;
  showManagedFields?: boolean;
}

/** Waits until objects are as `--for` says, each for its conditions in their order, and says so of each. */
export async function wait(words: readonly string[], flags: WaitFlags): Promise<void> {
  const conditions = readConditions(flags.for ?? []);
  const client = clientFor(flags);
  const timeoutMs = flags.timeout < 0 ? limits.waitTimeoutMsMax : flags.timeout;
  const endMs = systemClock.monotonicMs() + timeoutMs;
  const leftMs = () => (timeoutMs === 0 ? undefined : endMs - systemClock.monotonicMs());
  if (conditions.includes('create')) await untilCreated(client, words, flags, leftMs() ?? 0);
  const isForDelete = conditions.includes('delete');
  const failures = new Failures({ ignores: (error) => isForDelete && hasReason(error, 'NotFound') });
  const found = await findObjects(client, { words, flags, failures });
  if (found.length === 0 && failures.isEmpty && !isForDelete)
    throw new CommandError('no matching resources found');
  const tell = outcomePrinter(flags);
  for (const one of found) {
    await failures.attempt(
      (async () => {
        for (const condition of conditions) {
          const object = await until(client, { one, condition, leftMs: leftMs() });
          tell({ resource: one.resource, object: withType(one.resource, object), done: 'condition met' });
        }
      })(),
    );
  }
  failures.report();
}

interface Waited {
  one: FoundObject;
  condition: ForCondition;
  /** Undefined looks once. */
  leftMs: number | undefined;
}

/** The object as it is when the condition holds; its last state when it is gone. */
async function until(client: KubeClient, { one, condition, leftMs }: Waited): Promise<KubeObject> {
  if (condition === 'create') return one.object;
  if (leftMs === undefined) return lookOnce(client, one, condition);
  if (leftMs <= 0) throw timedOut(one);
  return (await untilMet(client, one, condition, leftMs)) ?? one.object;
}

async function lookOnce(client: KubeClient, one: FoundObject, condition: ForCondition): Promise<KubeObject> {
  const now = await client
    .resource<KubeObject>(one.resource)
    .get(one)
    .catch((error: unknown) => {
      if (condition === 'delete' && hasReason(error, 'NotFound')) return undefined;
      throw error;
    });
  const isMet = typeof condition === 'function' ? now !== undefined && condition(now) : now === undefined;
  if (!isMet) throw new CommandError(`condition not met for ${one.resource.plural}/${one.name}`);
  return now ?? one.object;
}

/** Waits for everything that is named, and for anything that the selectors leave. */
async function untilCreated(
  client: KubeClient,
  words: readonly string[],
  flags: WaitFlags,
  timeoutMs: number,
): Promise<void> {
  const { named, selections } = await meantObjects(client, { words, flags });
  using limit = deadline({ clock: systemClock, timeoutMs });
  const stop = new AbortController();
  const signal = AbortSignal.any([limit.signal, stop.signal]);
  const isThere = ({ type }: { type: string }) => type === 'ADDED';
  const selectors = { labelSelector: flags.selector, fieldSelector: flags.fieldSelector };
  const everyName = named.map(({ resource, name, namespace }) => {
    const fieldSelector = `metadata.name=${name}`;
    return client.followUntil(resource, isThere, { namespace, fieldSelector, signal });
  });
  const anyOfType = selections.map(({ resource, namespace }) => {
    const where = { namespace, allNamespaces: namespace === undefined };
    return client.followUntil(resource, isThere, { ...where, ...selectors, signal });
  });
  try {
    await Promise.all(everyName);
    if (anyOfType.length > 0) await Promise.race(anyOfType);
  } catch (error) {
    throw error instanceof DeadlineError ? new CommandError('timed out waiting for the condition') : error;
  } finally {
    stop.abort();
    await Promise.allSettled([...everyName, ...anyOfType]);
  }
}
