import type { KubeClient, KubeObject } from '@wherry/client';
import { sleep, systemClock } from '@wherry/clock';
import { hasReason } from '@wherry/kubeapi';
import { CommandError } from '../../errors.ts';
import { limits } from '../../limits.ts';
import type { NamedObject } from '../targets.ts';

/** Until when an object is waited for, and what is said then. */
export interface GoneOptions {
  /** By the monotonic clock, in milliseconds. */
  endMs: number;
  late: string;
  /** Of the object that goes: another of its name is none. Default: any of the name is waited for. */
  uid?: string | undefined;
}

/** Looks again and again until an object is not there. Throws `CommandError` when it is late. */
export async function untilGone(
  client: KubeClient,
  one: NamedObject,
  { endMs, late, uid }: GoneOptions,
): Promise<void> {
  for (;;) {
    try {
      const { metadata } = await client.resource<KubeObject>(one.resource).get(one);
      if (uid !== undefined && metadata?.uid !== uid) return;
    } catch (error) {
      if (hasReason(error, 'NotFound')) return;
      throw error;
    }
    if (systemClock.monotonicMs() > endMs) throw new CommandError(late);
    await sleep({ clock: systemClock, delayMs: limits.deletionPollMs });
  }
}
