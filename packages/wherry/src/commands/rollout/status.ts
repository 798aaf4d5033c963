import type { KubeClient, KubeObject } from '@wherry/client';
import { DeadlineError, deadline, systemClock } from '@wherry/clock';
import { CommandError } from '../../errors.ts';
import { clientFor } from '../../kube/flags.ts';
import { nothingFound } from '../../kube/scope.ts';
import { type FoundObject, findObjects } from '../../objects/find-objects.ts';
import { Failures } from '../../output/failures.ts';
import type { RolloutFlags } from './flags.ts';
import { requireStatusKind } from './kinds.ts';
import { progressOf } from './progress.ts';

/** Flags of `wherry rollout status`. */
export interface RolloutStatusFlags extends RolloutFlags {
  watch: boolean;
  revision: number;
  /** Milliseconds for each object; 0 for as long as it takes. */
  timeout: number;
}

/** Prints how far rollouts are, and with each of their changes again, until they are done. */
export async function rolloutStatus(words: readonly string[], flags: RolloutStatusFlags): Promise<void> {
  if (flags.revision < 0) throw new CommandError(`revision must be a positive integer: ${flags.revision}`);
  const client = clientFor(flags);
  const failures = new Failures();
  const found = await findObjects(client, { words, flags, failures, isAllByDefault: true });
  for (const one of found) await failures.attempt(follow(client, one, flags));
  if (found.length === 0 && failures.isEmpty)
    console.error(nothingFound(flags.namespace ?? client.access.namespace));
  failures.report();
}

async function follow(client: KubeClient, one: FoundObject, flags: RolloutStatusFlags): Promise<void> {
  const { resource, name, namespace } = one;
  const kind = requireStatusKind(resource);
  const timeoutMs = flags.timeout > 0 ? flags.timeout : Number.POSITIVE_INFINITY;
  using limit = Number.isFinite(timeoutMs) ? deadline({ clock: systemClock, timeoutMs }) : undefined;
  const fieldSelector = `metadata.name=${name}`;
  try {
    await client.followUntil<KubeObject>(
      resource,
      (change) => {
        if (change.type === 'SYNCED') return false;
        // What comes under its name afterwards is another object.
        if (change.type === 'DELETED') throw new CommandError('object has been deleted');
        const { says, isDone } = progressOf(kind, change.object, flags.revision);
        console.log(says);
        return isDone || !flags.watch;
      },
      { namespace, fieldSelector, signal: limit?.signal },
    );
  } catch (error) {
    throw error instanceof DeadlineError ? new CommandError('timed out waiting for the condition') : error;
  }
}
